/** Non-resource paths: exact ones and prefixes. Registering one twice is an error at startup. */
import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse } from '../http/api-response.ts';

export type PlainHandler = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;

interface PrefixRoute {
  readonly prefix: string;
  readonly handler: PlainHandler;
}

export class PlainRoutes {
  readonly #exact = new Map<string, PlainHandler>();
  /** What the index lists besides exact paths. */
  readonly #listed: (() => readonly string[])[] = [];
  readonly #unlisted = new Set<string>();
  readonly #routed = new Set<string>();
  /** By first segment, longest first: most requests are for objects and match none of these. */
  readonly #prefixes = new Map<string, PrefixRoute[]>();

  /** @throws Error when the path is taken */
  add(path: string, handler: PlainHandler): void {
    if (this.#exact.has(path)) throw new Error(`path ${JSON.stringify(path)} is registered twice`);
    this.#exact.set(path, handler);
  }

  /** Like `add`, for a path of upstream's router: trailing slashes are ignored. */
  addRouted(path: string, handler: PlainHandler): void {
    this.add(path, handler);
    this.#routed.add(path);
  }

  /** Like `add`, but not listed in the index. @throws Error when the path is taken */
  addUnlisted(path: string, handler: PlainHandler): void {
    this.add(path, handler);
    this.#unlisted.add(path);
  }

  /** Replaces a handler, for documents that change. */
  put(path: string, handler: PlainHandler): void {
    this.#exact.set(path, handler);
  }

  remove(path: string): void {
    this.#exact.delete(path);
    this.#routed.delete(path);
  }

  /**
   * @param prefix including its trailing slash
   * @param listed the paths to list in the index
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
    let end = path.length;
    while (end > 0 && path.charCodeAt(end - 1) === slash) end--;
    const trimmed = path.slice(0, end);
    return this.#routed.has(trimmed) ? this.#exact.get(trimmed) : undefined;
  }

  /** Whether upstream's router answers for the path: it begins with a registered one. */
  isBelowRouted(path: string): boolean {
    for (const routed of this.#routed)
      if (path.charCodeAt(routed.length) === slash && path.startsWith(routed)) return true;
    return false;
  }

  /** As the index at `/` lists them. */
  paths(): readonly string[] {
    const exact = [...this.#exact.keys()].filter((path) => !this.#unlisted.has(path));
    return [...exact, ...this.#listed.flatMap((listed) => listed())];
  }
}

const slash = 47;

/** `/debug` of `/debug/pprof/`. */
function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? path : path.slice(0, end);
}
