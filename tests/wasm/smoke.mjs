// Runs the wasm build of the core under node's WASI and compares what it prints, byte for byte,
// with the native build of the same program.
import { execFileSync } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync, closeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WASI } from "node:wasi";

const [wasmFile, nativeFile] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "arbiter-wasm-"));
try {
    const outFile = join(folder, "out");
    const stdout = openSync(outFile, "w");
    const wasi = new WASI({ version: "preview1", stdout, returnOnExit: true });
    const module = await WebAssembly.compile(readFileSync(wasmFile));
    // Not getImportObject(): the node of Debian 12 does not have it yet.
    const imports = { wasi_snapshot_preview1: wasi.wasiImport };
    const instance = await WebAssembly.instantiate(module, imports);
    const code = wasi.start(instance) ?? 0;
    closeSync(stdout);
    const printed = readFileSync(outFile);
    const native = execFileSync(nativeFile, { maxBuffer: 64 << 20 });
    if (code !== 0 || printed.length === 0 || !printed.equals(native)) {
        const at = printed.findIndex((byte, i) => byte !== native[i]);
        console.error(`wasm exited with ${code}; output differs from native at byte ${at}:`);
        console.error("  wasm:   " + printed.subarray(Math.max(0, at - 40), at + 80));
        console.error("  native: " + native.subarray(Math.max(0, at - 40), at + 80));
        process.exit(1);
    }
    console.error(`    wasm and native print the same ${printed.length} bytes`);
} finally {
    rmSync(folder, { recursive: true });
}
