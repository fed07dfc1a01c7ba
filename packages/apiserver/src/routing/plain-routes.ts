/** Paths outside the API's groups: exact ones, and prefixes. Claiming one twice is an error at start. */
import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse } from '../http/api-response.ts';

export type PlainHandler = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;

export class PlainRoutes {
  readonly #exact = new Map<string, PlainHandler>();
  readonly #prefixes: { readonly prefix: string; readonly handler: PlainHandler }[] = [];

  /** @throws Error when the path is taken */
  add(path: string, handler: PlainHandler): void {
    if (this.#exact.has(path)) throw new Error(`path ${JSON.stringify(path)} is registered twice`);
    this.#exact.set(path, handler);
  }

  /** Exchanges a handler, for documents that change. */
  put(path: string, handler: PlainHandler): void {
    this.#exact.set(path, handler);
  }

  remove(path: string): void {
    this.#exact.delete(path);
  }

  /** @param prefix with its slash @throws Error when the prefix is taken */
  addPrefix(prefix: string, handler: PlainHandler): void {
    if (this.#prefixes.some((one) => one.prefix === prefix)) {
      throw new Error(`path prefix ${JSON.stringify(prefix)} is registered twice`);
    }
    this.#prefixes.push({ prefix, handler });
    this.#prefixes.sort((a, b) => b.prefix.length - a.prefix.length);
  }

  find(path: string): PlainHandler | undefined {
    return this.#exact.get(path) ?? this.#prefixes.find(({ prefix }) => path.startsWith(prefix))?.handler;
  }

  /** As the index at `/` lists them. */
  paths(): readonly string[] {
    return [...this.#exact.keys()];
  }
}
