// The API as functions. Every failure is an ApiError with words in both languages.
import { readEvents, type ServerEvent } from "./sse";
import type { ApiErrorBody } from "./types";

export class ApiError extends Error {
    readonly status: number; // 0: the server was not reached
    readonly body: ApiErrorBody;

    constructor(status: number, body: ApiErrorBody) {
        super(body.message);
        this.status = status;
        this.body = body;
    }
    get isOffline(): boolean {
        return this.status === 0;
    }
}

const unreachable: ApiErrorBody = {
    code: "unreachable",
    message: "The server does not answer.",
    message_zh: "服务器没有响应。",
    hint: "Check that `arbiter serve` is still running. The page reconnects by itself.",
    hint_zh: "请确认 arbiter serve 仍在运行；本页会自动重新连接。",
};

export interface RequestOptions {
    method?: string;
    json?: unknown;
    form?: FormData;
    signal?: AbortSignal;
    headers?: Record<string, string>;
}

const tokenKey = "arbiter.token";

export const credentials = {
    get token(): string {
        return localStorage.getItem(tokenKey) ?? "";
    },
    set token(value: string) {
        if (value) {
            localStorage.setItem(tokenKey, value);
        } else {
            localStorage.removeItem(tokenKey);
        }
    },
};

let language = "en";
export function speak(to: string): void {
    language = to;
}

async function failure(response: Response): Promise<ApiError> {
    const text = await response.text().catch(() => "");
    try {
        const error = (JSON.parse(text) as { error?: ApiErrorBody }).error;
        if (error?.message) {
            return new ApiError(response.status, { ...error, message_zh: error.message_zh ?? error.message });
        }
    } catch {
        // Not ours: a proxy between the page and the server, for example.
    }
    return new ApiError(response.status, {
        code: `http_${response.status}`,
        message: `The server answered with status ${response.status}.`,
        message_zh: `服务器返回状态 ${response.status}。`,
    });
}

async function send(path: string, options: RequestOptions): Promise<Response> {
    const headers: Record<string, string> = { "Accept-Language": language, ...options.headers };
    if (credentials.token) {
        headers.Authorization = `Bearer ${credentials.token}`;
    }
    let body: BodyInit | undefined = options.form;
    if (options.json !== undefined) {
        headers["Content-Type"] = "application/json";
        body = JSON.stringify(options.json);
    }
    let response: Response;
    try {
        response = await fetch(path, {
            method: options.method ?? (body === undefined ? "GET" : "POST"),
            headers,
            body,
            signal: options.signal,
            cache: "no-store",
        });
    } catch (error) {
        if (options.signal?.aborted) {
            throw error;
        }
        throw new ApiError(0, unreachable);
    }
    if (!response.ok) {
        throw await failure(response);
    }
    return response;
}

export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
    const response = await send(path, options);
    if (response.status === 204) {
        return undefined as T;
    }
    try {
        return (await response.json()) as T;
    } catch (error) {
        if (options.signal?.aborted) {
            throw error;
        }
        throw new ApiError(0, unreachable);
    }
}

// Events as they come. Ends when the server ends the stream; fails like request().
export async function* stream(path: string, options: RequestOptions = {}): AsyncGenerator<ServerEvent> {
    const response = await send(path, {
        ...options,
        headers: { Accept: "text/event-stream", ...options.headers },
    });
    if (!response.body) {
        return;
    }
    const type = response.headers.get("Content-Type") ?? "";
    if (!type.startsWith("text/event-stream")) {
        // A server that answers at once.
        yield { event: "done", id: "", data: await response.text() };
        return;
    }
    try {
        yield* readEvents(response.body);
    } catch (error) {
        if (options.signal?.aborted) {
            throw error;
        }
        throw new ApiError(0, unreachable);
    }
}

export function campaignPath(id: string, rest = "", query: Record<string, string | number | undefined> = {}): string {
    const parameters = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) {
        if (value !== undefined) {
            parameters.set(key, String(value));
        }
    }
    const suffix = parameters.size > 0 ? `?${parameters}` : "";
    return `/api/v1/campaigns/${encodeURIComponent(id)}${rest ? `/${rest}` : ""}${suffix}`;
}

// Names one request, so that repeating it after a broken connection does it once.
export function newKey(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
