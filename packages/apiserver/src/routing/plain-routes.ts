/** Paths outside the API's groups: exact ones, and prefixes. Claiming one twice is an error at start. */
import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse } from '../http/api-response.ts';

export type PlainHandler = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;

interface PrefixRoute {
  readonly prefix: string;
  readonly handler: PlainHandler;
}

export class PlainRoutes {
  readonly #exact = new Map<string, PlainHandler>();
  /** What the index tells besides exact paths. */
  readonly #listed: (() => readonly string[])[] = [];
  readonly #unlisted = new Set<string>();
  readonly #routed = new Set<string>();
  /** By their first segment, the longest first: most requests are for objects, and look here in vain. */
  readonly #prefixes = new Map<string, PrefixRoute[]>();

  /** @throws Error when the path is taken */
  add(path: string, handler: PlainHandler): void {
    if (this.#exact.has(path)) throw new Error(`path ${JSON.stringify(path)} is registered twice`);
    this.#exact.set(path, handler);
  }

  /** As `add`, for a path that the original's router knows: slashes behind it don't count. */
  addRouted(path: string, handler: PlainHandler): void {
    this.add(path, handler);
    this.#routed.add(path);
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
    this.#routed.delete(path);
  }

  /**
   * @param prefix with its slash
   * @param listed what the index tells of it
   * @throws Error when the prefix is taken
   */
  addPrefix(prefix: string, handler: PlainHandler, listed: () => readonly string[] = () => [prefix]): void {
    const segment = firstSegment(prefix);
    const known = this.#prefixes.get(segment) ?? [];
    if (known.some((one) => one.prefix === prefix)) {
      throw new Error(`path prefix ${JSON.stringify(prefix)} is registered twice`);
    }
    this.#listed.push(listed);
    const all = [...known, { prefix, handler }].sort((a, b) => b.prefix.length - a.prefix.length);
    this.#prefixes.set(segment, all);
  }

  find(path: string): PlainHandler | undefined {
    return (
      this.#exact.get(path) ??
      this.#findRouted(path) ??
      this.#prefixes.get(firstSegment(path))?.find(({ prefix }) => path.startsWith(prefix))?.handler
    );
  }

  #findRouted(path: string): PlainHandler | undefined {
    if (!path.endsWith('/')) return undefined;
    const trimmed = path.replace(/\/+$/, '');
    return this.#routed.has(trimmed) ? this.#exact.get(trimmed) : undefined;
  }

  /** Whether the original's router answers for the path: it begins with one that it knows. */
  isBelowRouted(path: string): boolean {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
      if (this.#routed.has(path.slice(0, end))) return true;
    return false;
  }

  /** As the index at `/` lists them. */
  paths(): readonly string[] {
    const exact = [...this.#exact.keys()].filter((path) => !this.#unlisted.has(path));
    return [...exact, ...this.#listed.flatMap((listed) => listed())];
  }
}

/** `/debug` of `/debug/pprof/`. */
function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? path : path.slice(0, end);
}
