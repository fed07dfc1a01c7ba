/**
 * Before certificates.k8s.io/v1 a request need not name its signer: those of kubelets were recognized by their content.
 */
import type { SpecObject } from '../meta/kind-object.ts';
import { derText } from './der-text.ts';
import { DerError, oidText, readElement, syntaxError, type DerElement } from './der.ts';

interface RequestSpec {
  request: string;
  signerName?: string;
  usages?: string[];
}

export function defaultSigner({ spec }: SpecObject<RequestSpec>): void {
  spec.signerName ??= signerOf(spec.request ?? '', new Set(spec.usages));
}

const unknownSigner = 'kubernetes.io/legacy-unknown';

function signerOf(request: string, usages: ReadonlySet<string>): string {
  const asked = askedFor(request);
  if (asked === undefined) return unknownSigner;
  const { organizations, commonName, names } = asked;
  const isNode =
    organizations.length === 1 &&
    organizations[0] === 'system:nodes' &&
    commonName.startsWith('system:node:');
  if (!isNode) return unknownSigner;
  if (names.length === 0) {
    return isExactly(usages, 'client auth') ? 'kubernetes.io/kube-apiserver-client-kubelet' : unknownSigner;
  }
  const isOfServer = names.every((tag) => tag === dnsName || tag === ipAddress);
  return isOfServer && isExactly(usages, 'server auth') ? 'kubernetes.io/kubelet-serving' : unknownSigner;
}

/** With or without the usage that only RSA keys have. */
function isExactly(usages: ReadonlySet<string>, purpose: string): boolean {
  const wanted = [
    'digital signature',
    purpose,
    ...(usages.has('key encipherment') ? ['key encipherment'] : []),
  ];
  return usages.size === wanted.length && wanted.every((usage) => usages.has(usage));
}

interface Asked {
  readonly organizations: readonly string[];
  readonly commonName: string;
  /** The tags of its subject alternative names. */
  readonly names: readonly number[];
}

/** Undefined for an unreadable request. */
function askedFor(request: string): Asked | undefined {
  try {
    const pem = atob(request);
    const body = /-----BEGIN CERTIFICATE REQUEST-----([^-]+)-----END/.exec(pem)?.[1];
    if (body === undefined) return undefined;
    const der = Uint8Array.from(atob(body.replaceAll(/\s/g, '')), (char) => char.charCodeAt(0));
    const [, subject, , attributes] = within(within(readElement(der, 0))[0]);
    const parts = within(subject).flatMap(within).map(pairOf);
    return {
      organizations: textsOf(parts, organizationOid),
      commonName: textsOf(parts, commonNameOid).at(-1) ?? '',
      names: attributes === undefined ? [] : namesIn(attributes),
    };
  } catch (failure) {
    // Invalid base64 throws a DOMException.
    if (failure instanceof DerError || failure instanceof DOMException) return undefined;
    throw failure;
  }
}

const organizationOid = '2.5.4.10';
const commonNameOid = '2.5.4.3';
const extensionRequestOid = '1.2.840.113549.1.9.14';
const alternativeNamesOid = '2.5.29.17';
const dnsName = 2;
const ipAddress = 7;

/** The text is absent if its type is not supported. */
const pairOf = (element: DerElement): { readonly oid: string; readonly text: string | undefined } => {
  const [oid, value] = within(element);
  const text = value === undefined ? undefined : derText(value.whole[0]!, value.content);
  return { oid: oidText(oid?.content ?? none), text };
};

const textsOf = (pairs: readonly ReturnType<typeof pairOf>[], wanted: string): string[] =>
  pairs.flatMap(({ oid, text }) => (oid === wanted && text !== undefined ? [text] : []));

function namesIn(attributes: DerElement): number[] {
  const extensions = within(attributes)
    .map(within)
    .filter(([oid]) => oidText(oid?.content ?? none) === extensionRequestOid)
    .flatMap(([, values]) => (values === undefined ? [] : within(values).flatMap(within)))
    .map(within);
  return extensions
    .filter(([oid]) => oidText(oid?.content ?? none) === alternativeNamesOid)
    .flatMap((parts) => within(readElement(parts.at(-1)?.content ?? none, 0)))
    .map(({ whole }) => whole[0]! & 0x1f);
}

const none = new Uint8Array();

/** @throws DerError when the element is missing */
function within(element: DerElement | undefined): DerElement[] {
  if (element === undefined) throw syntaxError('sequence truncated');
  const { content } = element;
  const found: DerElement[] = [];
  for (let at = 0; at < content.length; at = found.at(-1)!.end) found.push(readElement(content, at));
  return found;
}
