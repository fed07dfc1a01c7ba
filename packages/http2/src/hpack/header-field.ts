/** One field of a header block, with its violation of the rules, if any (RFC 9113, section 8.2). */

export interface HeaderField {
  readonly name: string;
  /** One character per byte. */
  readonly value: string;
  /** Why a request with this field is malformed; undefined for nearly all. */
  readonly fault: string | undefined;
}

export function headerField(name: string, value: string): HeaderField {
  return { name, value, fault: faultOf(name, value) };
}

/** As RFC 7541 and the limits on headers count it. */
export const fieldBytes = ({ name, value }: HeaderField): number =>
  name.length + value.length + fieldBytesExtra;

const fieldBytesExtra = 32;

function faultOf(name: string, value: string): string | undefined {
  if (!nameIsSound(name)) return `the name ${JSON.stringify(name)}`;
  if (beyondValues.test(value)) return `a control character in ${name}`;
  if (connectionSpecific.has(name)) return `${name} is for connections of HTTP/1.1`;
  if (name === 'te' && value !== 'trailers') return 'te that is not "trailers"';
  return undefined;
}

/** A tab is the only control character allowed in a value. */
// oxlint-disable-next-line no-control-regex
const beyondValues = /[\0-\u0008\n-\u001f\u007f]/;

/** Lower case; pseudo-headers begin with a colon. */
const soundName = /^:?[!#$%&'*+.^_`|~0-9a-z-]+$/;

/** Headers that HTTP/1.1 sends to the next hop and that HTTP/2 replaces with frames. */
export const connectionSpecific: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/** Clients use the same few names again and again. */
const soundNames = new Set<string>();
const soundNamesMax = 1000;

function nameIsSound(name: string): boolean {
  if (soundNames.has(name)) return true;
  if (!soundName.test(name)) return false;
  if (soundNames.size < soundNamesMax) soundNames.add(name);
  return true;
}
