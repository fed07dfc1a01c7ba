/** Returns an image definition whose functions receive their last argument, the container, converted by `convert`. */
export function withContainer<From>(part: unknown, convert: (container: From) => unknown): unknown {
  if (typeof part === 'function')
    return (...args: unknown[]): unknown =>
      (part as (...args: unknown[]) => unknown)(...args.slice(0, -1), convert(args.at(-1) as From));
  if (typeof part !== 'object' || part === null || Array.isArray(part) || ArrayBuffer.isView(part))
    return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, withContainer(value, convert)]),
  );
}
