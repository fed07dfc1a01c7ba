/** Reads the subject's common name and organizations from the DER of a certificate signing request. */
import { derText } from '@coxswain/api/certificates/der-text.ts';

export type RequestSubject =
  | { readonly commonName: string; readonly organizations: readonly string[] }
  | { readonly problem: string };

const commonNameOid = '550403';
const organizationOid = '55040a';

/** @param request base64 of a PEM block */
export function certificateRequestSubject(request: string): RequestSubject {
  const pem = decodeText(request);
  const body = /-----BEGIN CERTIFICATE REQUEST-----([\s\S]+?)-----END CERTIFICATE REQUEST-----/.exec(
    pem,
  )?.[1];
  if (body === undefined) return { problem: 'PEM block type must be CERTIFICATE REQUEST' };
  try {
    const der = bytesOf(body);
    const info = children(children(element(der, 0)).at(0)!);
    const subject = info[1]!;
    // Of several common names the last one counts.
    const commonName = valuesOf(subject, commonNameOid).at(-1) ?? '';
    return { commonName, organizations: valuesOf(subject, organizationOid) };
  } catch {
    return { problem: 'asn1: structure error: malformed certificate request' };
  }
}

interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly end: number;
}

const valuesOf = (name: Element, oid: string): string[] =>
  children(name).flatMap((set) =>
    children(set).flatMap((attribute) => {
      const [type, value] = children(attribute);
      if (type === undefined || value === undefined || hex(type.content) !== oid) return [];
      return derText(value.tag, value.content) ?? [];
    }),
  );

function children({ content }: Element): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < content.length;) {
    const child = element(content, at);
    found.push(child);
    at = child.end;
  }
  return found;
}

/** One DER element; lengths up to four bytes. */
function element(bytes: Uint8Array, at: number): Element {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined) throw new RangeError('truncated');
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (lengthBytes > 4) throw new RangeError('too long');
  let length = lengthBytes === 0 ? first : 0;
  for (let i = 0; i < lengthBytes; i++) length = length * 256 + (bytes[at + 2 + i] ?? NaN);
  const start = at + 2 + lengthBytes;
  const end = start + length;
  if (!(end <= bytes.length)) throw new RangeError('truncated');
  return { tag, content: bytes.subarray(start, end), end };
}

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64.replace(/\s/g, '')), (char) => char.charCodeAt(0));

function decodeText(base64: string): string {
  try {
    return new TextDecoder().decode(bytesOf(base64));
  } catch {
    return '';
  }
}
