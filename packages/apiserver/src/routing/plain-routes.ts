/** Paths outside the API's groups: exact ones, and prefixes. Claiming one twice is an error at start. */
import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse } from '../http/api-response.ts';

export type PlainHandler = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;

export class PlainRoutes {
  readonly #exact = new Map<string, PlainHandler>();
  /** What the index tells besides exact paths. */
  readonly #listed: (() => readonly string[])[] = [];
  readonly #unlisted = new Set<string>();
  readonly #prefixes: { readonly prefix: string; readonly handler: PlainHandler }[] = [];

  /** @throws Error when the path is taken */
  add(path: string, handler: PlainHandler): void {
    if (this.#exact.has(path)) throw new Error(`path ${JSON.stringify(path)} is registered twice`);
    this.#exact.set(path, handler);
  }

  /** As `add`, without a place in the index. @throws Error when the path is taken */
  addUnlisted(path: string, handler: PlainHandler): void {
    this.add(path, handler);
    this.#unlisted.add(path);
  }

  /** Exchanges a handler, for documents that change. */
  put(path: string, handler: PlainHandler): void {
    this.#exact.set(path, handler);
  }

  remove(path: string): void {
    this.#exact.delete(path);
  }

  /**
   * @param prefix with its slash
   * @param listed what the index tells of it
   * @throws Error when the prefix is taken
   */
  addPrefix(prefix: string, handler: PlainHandler, listed: () => readonly string[] = () => [prefix]): void {
    if (this.#prefixes.some((one) => one.prefix === prefix)) {
      throw new Error(`path prefix ${JSON.stringify(prefix)} is registered twice`);
    }
    this.#listed.push(listed);
    this.#prefixes.push({ prefix, handler });
    this.#prefixes.sort((a, b) => b.prefix.length - a.prefix.length);
  }

  find(path: string): PlainHandler | undefined {
    return this.#exact.get(path) ?? this.#prefixes.find(({ prefix }) => path.startsWith(prefix))?.handler;
  }

  /** As the index at `/` lists them. */
  paths(): readonly string[] {
    const exact = [...this.#exact.keys()].filter((path) => !this.#unlisted.has(path));
    return [...exact, ...this.#listed.flatMap((listed) => listed())];
  }
}
