/** Names of container images, as far as the API reads them: `[registry/]path[:tag][@digest]`. */

/** Images that may change under their name are pulled every time. */
export const imagePullPolicyOf = (image: string): 'Always' | 'IfNotPresent' =>
  imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';

/** `latest` when neither tag nor digest is there; empty for a digest alone and for a name that is none. */
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
