import type * as certificates from '@coxswain/api/certificates/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import type { JsonName, Pkcs10CertificateRequest } from '@peculiar/x509';
import { humanDuration } from '@coxswain/apimachinery/human-duration.ts';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { formatLabels } from './selector.ts';
import { DescriptionText, timeText } from './text.ts';

type CertificateSigningRequest = Live<certificates.CertificateSigningRequest>;

export const describeCertificateSigningRequest: Describer = async (object, context) => {
  const { metadata, spec = {}, status = {} }: CertificateSigningRequest = object;
  const events = await context.events(object);
  const request = await readRequest(spec.request ?? '');
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Labels', formatLabels(metadata.labels));
  text.field(0, 'Annotations', formatLabels(metadata.annotations));
  text.field(0, 'CreationTimestamp', timeText(metadata.creationTimestamp));
  text.field(0, 'Requesting User', spec.username);
  text.optional(0, 'Signer', spec.signerName);
  if (spec.expirationSeconds !== undefined) {
    text.field(0, 'Requested Duration', humanDuration(spec.expirationSeconds * 1000));
  }
  text.field(0, 'Status', statusText(status));
  describeSubject(text, request.subjectName.toJSON());
  await describeAlternativeNames(text, request);
  describeEvents(text, events, context.nowMs);
  return text.toString();
};

async function readRequest(base64: string): Promise<Pkcs10CertificateRequest> {
  const pem = Buffer.from(base64, 'base64').toString();
  const label = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(pem)?.[1];
  if (label !== 'CERTIFICATE REQUEST') {
    throw new Error('Error parsing CSR: PEM block type must be CERTIFICATE REQUEST');
  }
  // The library registers its parts with a container that needs this polyfill.
  await import('reflect-metadata');
  const { Pkcs10CertificateRequest: Request } = await import('@peculiar/x509');
  return new Request(pem);
}

/** `Approved,Issued`: the decision and the outcome. */
function statusText({
  conditions = [],
  certificate,
}: NonNullable<CertificateSigningRequest['status']>): string {
  const has = (type: string): boolean => conditions.some((condition) => condition.type === type);
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return `${decision}${has('Failed') ? ',Failed' : ''}${certificate ? ',Issued' : ''}`;
}

/** Labels with the short name or object identifier of the attribute. */
const subjectFields: readonly (readonly [label: string, ...attributes: string[]])[] = [
  ['Organization', 'O'],
  ['Organizational Unit', 'OU'],
  ['Country', 'C'],
  ['Locality', 'L'],
  ['Province', 'ST'],
  ['StreetAddress', 'STREET', '2.5.4.9'],
  ['PostalCode', '2.5.4.17'],
];

function describeSubject(text: DescriptionText, name: JsonName): void {
  const valuesOf = (...attributes: readonly string[]): readonly string[] =>
    name.flatMap((part) => attributes.flatMap((attribute) => part[attribute] ?? [])).map(String);
  text.line(0, 'Subject:');
  text.line(0, `\tCommon Name:\t${valuesOf('CN').at(-1) ?? ''}`);
  text.line(0, `\tSerial Number:\t${valuesOf('SERIALNUMBER', '2.5.4.5').at(-1) ?? ''}`);
  for (const [label, ...attributes] of subjectFields) describeList(text, label, valuesOf(...attributes));
}

async function describeAlternativeNames(
  text: DescriptionText,
  request: Pkcs10CertificateRequest,
): Promise<void> {
  const { SubjectAlternativeNameExtension } = await import('@peculiar/x509');
  const names =
    request.extensions.find((each) => each instanceof SubjectAlternativeNameExtension)?.names.items ?? [];
  if (names.length === 0) return;
  const valuesOf = (type: string): readonly string[] =>
    names.filter((name) => name.type === type).map(({ value }) => value);
  text.line(0, 'Subject Alternative Names:');
  describeList(text, 'DNS Names', valuesOf('dns'));
  describeList(text, 'Email Addresses', valuesOf('email'));
  describeList(text, 'URIs', valuesOf('url'));
  describeList(text, 'IP Addresses', valuesOf('ip'));
}

function describeList(text: DescriptionText, label: string, values: readonly string[]): void {
  values.forEach((value, index) => text.line(0, `\t${index === 0 ? `${label}:` : ''}\t${value}`));
}
