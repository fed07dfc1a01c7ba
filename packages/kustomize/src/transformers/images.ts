/** Names, tags and digests of container images. */
import type { FieldSpec } from '../configuration/field-spec.ts';
import type { Image } from '../configuration/kustomization.ts';
import { kindOf } from '../resources/metadata.ts';
import { compilePattern } from '../pattern.ts';
import { scalar, type YamlNode } from '../yaml/node.ts';
import { getField, requireKind, setScalar } from '../yaml/fields.ts';
import { applyFieldSpecs } from './apply-field-spec.ts';
import type { Transformer } from './transformer.ts';

export function setImages(image: Image, specs: readonly FieldSpec[]): Transformer {
  const set = imageSetter(image);
  return (map) => {
    for (const { node } of map.resources) if (!isDefinition(node)) visitContainers(node, set);
    for (const { node } of map.resources) if (!isDefinition(node)) applyFieldSpecs(node, specs, { set });
    map.dropEmpty();
  };
}

const isDefinition = (node: YamlNode): boolean => kindOf(node) === 'CustomResourceDefinition';

/** Containers are found in every list with one of these names. */
function visitContainers(node: YamlNode, set: (target: YamlNode) => void): void {
  if (node.kind === 'sequence') for (const item of node.content) visitContainers(item, set);
  if (node.kind !== 'mapping') return;
  for (let index = 0; index + 1 < node.content.length; index += 2) {
    const value = node.content[index + 1]!;
    visitContainers(value, set);
    if (!['containers', 'initContainers'].includes(node.content[index]!.value) || value.kind !== 'sequence')
      continue;
    for (const container of value.content) {
      const found = getField(container, 'image');
      if (found !== undefined) set(found);
    }
  }
}

function imageSetter(image: Image): (node: YamlNode) => void {
  const matches = imageMatcher(image.name ?? '');
  return (node) => {
    requireKind(node, 'scalar');
    if (matches(node.value)) setScalar(node, scalar(changedImage(node.value, image)));
  };
}

function imageMatcher(name: string): (text: string) => boolean {
  const pattern = compilePattern(`^${name}(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$`);
  return (text) => pattern.test(text);
}

function changedImage(
  text: string,
  { newName = '', newTag = '', digest: newDigest = '', tagSuffix = '' }: Image,
): string {
  let { name, tag, digest } = splitImage(text);
  if (newName !== '') name = newName;
  if (newTag !== '') [tag, digest] = [newTag, newDigest];
  else if (newDigest !== '') [tag, digest] = ['', newDigest];
  else if (tagSuffix !== '') [tag, digest] = [tag + tagSuffix, ''];
  return `${name}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`;
}

/** A colon before the first slash belongs to the registry. */
function splitImage(image: string): { name: string; tag: string; digest: string } {
  const slash = Math.max(image.indexOf('/'), 0);
  const at = image.indexOf('@', slash);
  const colon = image.indexOf(':', slash);
  if (at < 0 && colon < 0) return { name: image, tag: '', digest: '' };
  if (at >= 0 && (colon < 0 || at < colon))
    return { name: image.slice(0, at), tag: '', digest: image.slice(at + 1) };
  if (at >= 0)
    return { name: image.slice(0, colon), tag: image.slice(colon + 1, at), digest: image.slice(at + 1) };
  return { name: image.slice(0, colon), tag: image.slice(colon + 1), digest: '' };
}
