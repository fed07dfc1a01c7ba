/** Parses container image names, as far as the API needs: `[registry/]path[:tag][@digest]`. */

/** Images that may change under the same name are always pulled. */
export const imagePullPolicyOf = (image: string): 'Always' | 'IfNotPresent' =>
  imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';

/** `latest` without tag and digest; empty for only a digest, and for an invalid name. */
export function imageTag(image: string): string {
  const found = reference.exec(image);
  if (found === null || bareIdentifier.test(image)) return '';
  const { name, tag, digest } = found.groups as { name: string; tag?: string; digest?: string };
  if (name.length > nameLengthMax) return '';
  return tag ?? (digest === undefined ? 'latest' : '');
}

const nameLengthMax = 255;

const component = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const domainLabel = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const domain = `(?:${domainLabel}(?:\\.${domainLabel})*|\\[[0-9a-fA-F:]+\\])(?::[0-9]+)?`;
const reference = new RegExp(
  `^(?<name>(?:${domain}/)?${component}(?:/${component})*)` +
    '(?::(?<tag>[\\w][\\w.-]{0,127}))?' +
    '(?:@(?<digest>[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$',
);

/** 64 hexadecimal digits are an image's id, not its name. */
const bareIdentifier = /^[a-f0-9]{64}$/;
