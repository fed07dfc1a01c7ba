/** Sixteen bytes per line: offset, hexadecimal in two blocks, and characters, like Go's `hex.Dump`. */
export function hexDump(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 16) {
    const line = [...bytes.subarray(at, at + 16)];
    const hex = line.map((byte) => byte.toString(16).padStart(2, '0'));
    const blocks = `${hex.slice(0, 8).join(' ').padEnd(23)}  ${hex.slice(8).join(' ').padEnd(23)}`;
    const characters = line.map((byte) => (byte < 32 || byte > 126 ? '.' : String.fromCharCode(byte)));
    text += `${at.toString(16).padStart(8, '0')}  ${blocks}  |${characters.join('')}|\n`;
  }
  return text;
}
