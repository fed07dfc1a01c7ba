/** Updates fields that refer to renamed objects. */
import type { NameReference } from '../configuration/name-reference.ts';
import type { FieldSpec } from '../configuration/field-spec.ts';
import { within } from '../failure.ts';
import { isClusterScoped, isSelectedBy, type Gvk } from '../resources/gvk.ts';
import { idText, sameNamespace } from '../resources/resource-id.ts';
import type { ResourceMap } from '../resources/resource-map.ts';
import type { Resource } from '../resources/resource.ts';
import { isMissingOrNull, scalar, type YamlNode } from '../yaml/node.ts';
import { getField, memberOf, setField, setScalar } from '../yaml/fields.ts';
import { applyFieldSpec } from './apply-field-spec.ts';
import type { Transformer } from './transformer.ts';

export function followNameReferences(references: readonly NameReference[]): Transformer {
  return (map) => {
    const originals = map.resources.map((resource) => resource.originalId.gvk);
    for (const [index, referrer] of map.resources.entries()) {
      const candidates = map.referableBy(referrer);
      for (const { fieldSpecs = [], ...target } of references) {
        for (const spec of fieldSpecs) {
          if (!isSelectedBy(originals[index] as Gvk, spec)) continue;
          updateField({ referrer, spec, target, candidates });
        }
      }
    }
  };
}

interface Reference {
  readonly referrer: Resource;
  readonly spec: FieldSpec;
  /** The kind of the referenced object. */
  readonly target: Gvk;
  readonly candidates: ResourceMap;
}

function updateField(reference: Reference): void {
  const { referrer, spec } = reference;
  within(
    () => `updating name reference in '${spec.path}' field of '${idText(referrer.id)}'`,
    () =>
      applyFieldSpec(
        referrer.node,
        { ...spec, ...referrer.gvk },
        { set: (node) => updateNode(reference, node) },
      ),
  );
}

function updateNode(reference: Reference, node: YamlNode): void {
  if (isMissingOrNull(node)) return;
  if (node.kind === 'scalar') updateScalar(reference, node);
  else if (node.kind === 'mapping') updateMapping(reference, node);
  else if (node.kind === 'sequence') for (const item of node.content) updateItem(reference, item);
  else throw new Error('node must be a scalar, sequence or map');
}

function updateItem(reference: Reference, item: YamlNode): void {
  if (isMissingOrNull(item)) return;
  if (item.kind === 'scalar') updateScalar(reference, item);
  else if (item.kind === 'mapping') updateMapping(reference, item);
  else throw new Error('the item is expected to be either a string or a map of string');
}

function updateScalar(reference: Reference, node: YamlNode): void {
  const referral = selectReferral(reference, node.value, reference.candidates.resources, (one) => one.name);
  if (referral === undefined) return;
  referral.addReferrer(reference.referrer.id);
  if (referral.name !== node.value) setScalar(node, scalar(referral.name));
}

/** A reference with a name and optionally a namespace. */
function updateMapping(reference: Reference, node: YamlNode): void {
  const nameNode = within("trying to match 'name' field", () => getField(node, 'name'));
  if (nameNode === undefined) throw new Error("path config error; no 'name' field in node");
  const oldName = nameNode.value;
  const candidates = candidatesInNamespace(reference.candidates, memberOf(node, 'namespace')?.value);
  const referral = selectReferral(reference, oldName, candidates, (one) => `${one.name}/${one.namespace}`);
  if (referral === undefined) return;
  referral.addReferrer(reference.referrer.id);
  const { name, namespace } = referral;
  if (name === oldName && namespace === '') return;
  setField(node, 'name', scalar(name));
  if (namespace !== '') setField(node, 'namespace', scalar(namespace));
}

function candidatesInNamespace(candidates: ResourceMap, namespace: string | undefined): readonly Resource[] {
  if (namespace === undefined) return candidates.resources;
  return (
    candidates.groupedByNamespace((resource) => resource.originalId).get(namespace) ??
    candidates.groupedByNamespace((resource) => resource.id).get(namespace) ??
    []
  );
}

/** The object that had this name; undefined if there is none. @throws Error if it is ambiguous */
function selectReferral(
  { referrer, spec, target }: Reference,
  oldName: string,
  candidates: readonly Resource[],
  identity: (resource: Resource) => string,
): Resource | undefined {
  const roleGvk = spec.path.endsWith('roleRef/name') ? roleReferenceGvk(referrer) : undefined;
  let found = candidates.filter((candidate) => {
    const previous = candidate.previousIds;
    return (
      previous.some((id) => id.name === oldName) &&
      previous.some((id) => isSelectedBy(id.gvk, target)) &&
      (roleGvk === undefined || previous.some((id) => isSelectedBy(id.gvk, roleGvk))) &&
      isInReach(referrer, candidate)
    );
  });
  if (found.length === 1) return found[0];
  found = found.filter((candidate) => affixesAgree(candidate, referrer, true));
  if (found.length > 1) found = found.filter((candidate) => affixesAgree(candidate, referrer, false));
  const [first] = found;
  if (first === undefined || new Set(found.map(identity)).size === 1) return first;
  throw new Error(
    `found multiple possible referrals: ${found.map((one) => idText(one.id)).join(', ')}\n${referralDetails(referrer, found)}`,
  );
}

function roleReferenceGvk(referrer: Resource): Gvk | undefined {
  const reference = memberOf(referrer.node, 'roleRef');
  const group = memberOf(reference, 'apiGroup')?.value;
  const kind = memberOf(reference, 'kind')?.value;
  return group === undefined || kind === undefined ? undefined : { group, kind };
}

function isInReach(referrer: Resource, candidate: Resource): boolean {
  const id = referrer.id;
  const other = candidate.id;
  return (
    isClusterScoped(id.gvk) ||
    isClusterScoped(other.gvk) ||
    other.gvk.kind === 'ServiceAccount' ||
    sameNamespace(id, other)
  );
}

function affixesAgree(a: Resource, b: Resource, emptyAgrees: boolean): boolean {
  const agree = (one: readonly string[], other: readonly string[]) =>
    (emptyAgrees && (one.length === 0 || other.length === 0)) || sameEnding(one, other);
  return agree(a.prefixes, b.prefixes) && agree(a.suffixes, b.suffixes);
}

function sameEnding(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length === 0) return long.length === 0;
  return short.every((value, index) => value === long[index + long.length - short.length]);
}

const referralDetails = (referrer: Resource, found: readonly Resource[]): string =>
  `\n**** Too many possible referral targets to referrer:\n${referrer.toYaml()}\n${found
    .map((one, index) => `--- possible referral ${index}:\n${one.toYaml()}\n`)
    .join('')}`;
