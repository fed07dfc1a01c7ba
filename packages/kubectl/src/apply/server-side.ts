/** Server-side apply, with the migration from client-side apply. */
import { StatusError, type KubeObject, type ManagedFieldsEntry } from '@coxswain/apimachinery';
import type { ResourceHelper } from '../resource/resource-helper.ts';
import { objectOf, refreshed, type Info } from '../resource/info.ts';
import { lastApplied, lastAppliedAnnotation } from './last-applied.ts';
import { sourced } from '../resource/with-source.ts';

export interface ServerSideOptions {
  readonly dryRun: 'none' | 'client' | 'server';
  readonly fieldManager: string;
  readonly fieldValidation: string;
  readonly forceConflicts: boolean;
  readonly subresource: string;
}

/** The manager that owns the annotation of client-side apply after the migration. */
const lastAppliedManager = 'kubectl-last-applied';
/** The default field manager of server-side apply. */
const serverSideManager = 'kubectl';

export async function applyOnServer(
  helper: ResourceHelper,
  info: Info,
  options: ServerSideOptions,
): Promise<{ readonly info: Info; readonly operation: string }> {
  const write = {
    dryRun: options.dryRun === 'server',
    fieldManager: options.fieldManager,
    fieldValidation: options.fieldValidation,
    force: options.forceConflicts,
    subresource: options.subresource,
  };
  const object = objectOf(info);
  let applied: KubeObject;
  try {
    applied = await helper.patch(info.namespace, info.name, 'apply', object, write);
    applied = await migrate(helper, info, object, applied, write);
  } catch (failure) {
    throw explained(info, failure);
  }
  return { info: refreshed(info, applied), operation: 'serverside-applied' };
}

type Write = NonNullable<Parameters<ResourceHelper['patch']>[4]>;

/**
 * On the first server-side apply of an object that was applied client-side, its annotation gets a manager, and its
 * fields are transferred.
 */
async function migrate(
  helper: ResourceHelper,
  info: Info,
  object: KubeObject,
  applied: KubeObject,
  write: Write,
): Promise<KubeObject> {
  if (write.dryRun) return applied;
  let live = await keepAnnotation(helper, info, object, applied, write);
  if (clientSideFields(live).length === 0) return live;
  live = await helper.patch(info.namespace, info.name, 'json', moveManagers(live, write.fieldManager ?? ''), {
    fieldManager: write.fieldManager ?? '',
  });
  return helper.patch(info.namespace, info.name, 'apply', object, write);
}

/** For the default manager, keeps the annotation up to date if it exists. */
async function keepAnnotation(
  helper: ResourceHelper,
  info: Info,
  object: KubeObject,
  applied: KubeObject,
  write: Write,
): Promise<KubeObject> {
  const text = lastApplied(applied);
  if (write.fieldManager !== serverSideManager || text === undefined || annotationIsApplied(applied))
    return applied;
  const annotation = {
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: {
      name: object.metadata.name,
      ...(info.namespace === '' ? {} : { namespace: info.namespace }),
      annotations: { [lastAppliedAnnotation]: text },
    },
  };
  return helper.patch(info.namespace, info.name, 'apply', annotation, {
    fieldManager: lastAppliedManager,
    force: true,
  });
}

const annotationIsApplied = (object: KubeObject): boolean => ownersOfAnnotation(object, 'Apply').length > 0;

function ownersOfAnnotation({ metadata }: KubeObject, wanted: 'Apply' | 'Update'): ManagedFieldsEntry[] {
  return (metadata.managedFields ?? []).filter(({ operation, fieldsV1 }) => {
    const fields = fieldsV1 as { 'f:metadata'?: { 'f:annotations'?: object } } | undefined;
    const annotations = fields?.['f:metadata']?.['f:annotations'];
    return operation === wanted && annotations !== undefined && `f:${lastAppliedAnnotation}` in annotations;
  });
}

/** The fields of the managers that have used client-side apply, whatever their names: they own its annotation. */
function clientSideFields(object: KubeObject): ManagedFieldsEntry[] {
  const managers = new Set(ownersOfAnnotation(object, 'Update').map(({ manager }) => manager));
  return (object.metadata.managedFields ?? []).filter(
    ({ manager, operation, subresource }) => operation === 'Update' && !subresource && managers.has(manager),
  );
}

/** Transfers the fields of client-side apply to the current manager. */
function moveManagers(object: KubeObject, manager: string): object[] {
  const fields = object.metadata.managedFields ?? [];
  const old = clientSideFields(object);
  const mine = fields.find(
    (entry) => entry.manager === manager && entry.operation === 'Apply' && !entry.subresource,
  );
  const union = old.reduce(
    (all, entry) => joinFields(all, (entry.fieldsV1 ?? {}) as FieldTree),
    (mine?.fieldsV1 ?? {}) as FieldTree,
  );
  const base = mine ?? { ...old[0], manager, operation: 'Apply' as const };
  const kept = fields.filter((entry) => !old.includes(entry) && entry !== mine);
  return [
    { op: 'replace', path: '/metadata/managedFields', value: [...kept, { ...base, fieldsV1: union }] },
    { op: 'replace', path: '/metadata/resourceVersion', value: object.metadata.resourceVersion },
  ];
}

interface FieldTree {
  [field: string]: FieldTree;
}

function joinFields(a: FieldTree, b: FieldTree): FieldTree {
  const joined: FieldTree = { ...a };
  for (const [key, value] of Object.entries(b))
    joined[key] = key in joined ? joinFields(joined[key] as FieldTree, value) : value;
  return joined;
}

const advice = `Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the \`--force-conflicts\` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts`;

function explained(info: Info, failure: unknown): unknown {
  if (!(failure instanceof StatusError)) return sourced('applying', info.source, failure);
  if (failure.reason === 'Conflict') return new Error(`${failure.message}\n${advice}`, { cause: failure });
  if (failure.reason === 'UnsupportedMediaType') {
    return new Error(
      `Server-side apply not available on the server: (may be incompatible with the flag --server-side): ${failure.message}`,
      { cause: failure },
    );
  }
  return failure;
}
