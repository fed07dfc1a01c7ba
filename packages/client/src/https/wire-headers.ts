/** Encodes header values for the wire: Node writes each character as one byte, Go writes UTF-8. */

type Headers = Readonly<Record<string, string | readonly string[]>>;

/** @throws Error with Go's message for an invalid header value */
export function wireHeaders(headers: Headers): Headers {
  const entries = Object.entries(headers);
  const isAllPlain = entries.every(([, values]) => [values].flat().every((value) => isPlain.test(value)));
  return isAllPlain ? headers : Object.fromEntries(entries.map(spelledOut));
}

const isPlain = /^[\t -~]*$/;
const isSendable = /^[\t -~\u0080-\uffff]*$/;

function spelledOut([name, values]: readonly [string, Headers[string]]): [string, Headers[string]] {
  if (![values].flat().every((value) => isSendable.test(value)))
    throw new Error(`net/http: invalid header field value for ${JSON.stringify(canonical(name))}`);
  const spell = (text: string): string => Buffer.from(text).toString('latin1');
  return [name, typeof values === 'string' ? spell(values) : values.map(spell)];
}

/** `impersonate-user` → `Impersonate-User` */
const canonical = (name: string): string => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
