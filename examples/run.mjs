// Runs a program for wasm32-wasi: node --no-warnings run.mjs PROGRAM.wasm
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", returnOnExit: true });
const program = await WebAssembly.compile(readFileSync(process.argv[2]));
const instance = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
