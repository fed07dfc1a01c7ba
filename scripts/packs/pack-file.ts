/** The form of the file that `packages/coxswain/bin/kubectl.cjs` reads. */

export interface PackedModule {
  readonly name: string;
  /** Latin-1. */
  readonly source: string;
  /** V8's bytecode; empty when there is none. */
  readonly code: Buffer;
}

/** Sources and bytecode, one beside the other, behind a line that says where they are. */
export function packed(modules: readonly PackedModule[]): Buffer {
  const parts: Buffer[] = [];
  let end = 0;
  const append = (bytes: Buffer): [number, number] => {
    parts.push(bytes);
    end += bytes.length;
    return [end - bytes.length, bytes.length];
  };
  const places = modules.map(({ name, source, code }) => [
    name,
    [...append(Buffer.from(source, 'latin1')), ...append(code)],
  ]);
  return Buffer.concat([Buffer.from(`${JSON.stringify(Object.fromEntries(places))}\n`, 'latin1'), ...parts]);
}

/** What {@link packed} took, but for the bytecode. */
export function unpacked(bytes: Buffer): PackedModule[] {
  const end = bytes.indexOf('\n');
  const places = JSON.parse(bytes.toString('latin1', 0, end)) as Record<string, [number, number]>;
  return Object.entries(places).map(([name, [start, length]]) => ({
    name,
    source: bytes.toString('latin1', end + 1 + start, end + 1 + start + length),
    code: Buffer.alloc(0),
  }));
}
