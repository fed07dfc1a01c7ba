/** One field of a header block, with what is wrong with it (RFC 9113, section 8.2). */

export interface HeaderField {
  readonly name: string;
  /** A character for each byte. */
  readonly value: string;
  /** Why a request that has it is malformed; absent for nearly all. */
  readonly fault: string | undefined;
}

export function headerField(name: string, value: string): HeaderField {
  return { name, value, fault: faultOf(name, value) };
}

/** As RFC 7541 and the bounds on headers count it. */
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

/** A tab is the only control character that may stand in a value. */
// oxlint-disable-next-line no-control-regex
const beyondValues = /[\0-\u0008\n-\u001f\u007f]/;

/** Lower case; pseudo headers begin with a colon. */
const soundName = /^:?[!#$%&'*+.^_`|~0-9a-z-]+$/;

/** What HTTP/1.1 tells the next hop, HTTP/2 has frames for. */
export const connectionSpecific: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/** Clients use the same few names over and over. */
const soundNames = new Set<string>();
const soundNamesMax = 1000;

function nameIsSound(name: string): boolean {
  if (soundNames.has(name)) return true;
  if (!soundName.test(name)) return false;
  if (soundNames.size < soundNamesMax) soundNames.add(name);
  return true;
}
