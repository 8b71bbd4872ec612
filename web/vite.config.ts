/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";

// `npm run dev` shows the page with a server that runs elsewhere: ARBITER=http://127.0.0.1:8787
const server = process.env.ARBITER ?? "http://127.0.0.1:8787";

export default defineConfig({
    plugins: [svelte(), svelteTesting()],
    base: "./",
    build: {
        target: "es2022",
        // The policy of the page allows no data: URLs for scripts and styles.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        reportCompressedSize: false,
    },
    server: { proxy: { "/api": server, "/healthz": server } },
    test: { environment: "happy-dom", include: ["tests/**/*.test.ts"] },
});
