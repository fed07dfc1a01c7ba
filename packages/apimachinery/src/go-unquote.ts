/** Go's strconv.Unquote for text between double or single quotes, with the same rules for both. */

const named: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
};

const escape = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-3][0-7]{2})|(.))?/gsu;

/** Undefined for unknown escapes, and for unescaped quotes within the text. */
export function unquote(quoted: string): string | undefined {
  const quote = quoted[0]!;
  const body = quoted.slice(1, -1);
  let isValid = !body.replace(/\\./gsu, '').includes(quote);
  const text = body.replace(
    escape,
    (_all, byte?: string, short?: string, long?: string, octal?: string, one?: string) => {
      const hex = byte ?? short ?? long;
      const code = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16);
      if (!Number.isNaN(code)) {
        const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
        isValid &&= isCharacter;
        return isCharacter ? String.fromCodePoint(code) : '';
      }
      const character = one === quote ? quote : named[one ?? ''];
      isValid &&= character !== undefined;
      return character ?? '';
    },
  );
  return isValid ? text : undefined;
}
