/** Server-side apply, with the migration of what client-side apply left behind. */
import { StatusError, type KubeObject } from '@coxswain/apimachinery';
import type { CommandContext } from '../context.ts';
import type { ResourceHelper } from '../resource/helper.ts';
import { objectOf, refreshed, type Info } from '../resource/info.ts';
import { lastApplied, lastAppliedAnnotation, configurationText } from './last-applied.ts';
import { sameJson } from '../same-json.ts';
import { sourced } from '../resource/with-source.ts';

export interface ServerSideOptions {
  readonly dryRun: 'none' | 'client' | 'server';
  readonly fieldManager: string;
  readonly fieldValidation: string;
}

/** Who owns the annotation of client-side apply after the move. */
const lastAppliedManager = 'kubectl-last-applied';
/** Whose fields are moved. */
const clientSideManager = 'kubectl-client-side-apply';

export async function applyOnServer(
  _context: CommandContext,
  helper: ResourceHelper,
  info: Info,
  flags: { readonly forceConflicts: boolean; readonly subresource: string },
  options: ServerSideOptions,
): Promise<{ readonly info: Info; readonly operation: string }> {
  const write = {
    dryRun: options.dryRun === 'server',
    fieldManager: options.fieldManager,
    fieldValidation: options.fieldValidation,
    force: flags.forceConflicts,
    subresource: flags.subresource,
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

/** The first apply over an object of client-side apply: its fields change hands, its annotation gets an owner. */
async function migrate(helper: ResourceHelper, info: Info, object: KubeObject, applied: KubeObject, write: Write): Promise<KubeObject> {
  let live = applied;
  if (hasClientSideFields(live)) {
    const operations = moveManagers(live, write.fieldManager ?? '');
    if (operations !== undefined && !write.dryRun) {
      live = await helper.patch(info.namespace, info.name, 'json', operations, { fieldManager: write.fieldManager ?? '' });
      live = await helper.patch(info.namespace, info.name, 'apply', object, write);
    }
  }
  if (lastApplied(live) === undefined || write.dryRun) return live;
  const text = configurationText(object);
  if (sameJson(JSON.parse(lastApplied(live) ?? 'null'), JSON.parse(text))) return live;
  const annotation = {
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: {
      name: object.metadata.name,
      ...(info.namespace === '' ? {} : { namespace: info.namespace }),
      annotations: { [lastAppliedAnnotation]: withoutEmptyAnnotations(text, object) },
    },
  };
  await helper.patch(info.namespace, info.name, 'apply', annotation, { fieldManager: lastAppliedManager, force: true });
  return live;
}

/** The server's form of the configuration keeps `annotations` only where the object has some. */
function withoutEmptyAnnotations(text: string, object: KubeObject): string {
  if (object.metadata.annotations !== undefined) return text;
  return text.replace('"annotations":{},', '').replace(',"annotations":{}', '').replace('"annotations":{}', '');
}

const hasClientSideFields = (object: KubeObject): boolean =>
  object.metadata.managedFields?.some(({ manager, operation, subresource }) => manager === clientSideManager && operation === 'Update' && !subresource) ?? false;

/** Makes the fields of client-side apply those of the one who applies now. */
function moveManagers(object: KubeObject, manager: string): object[] | undefined {
  const fields = object.metadata.managedFields ?? [];
  const old = fields.filter((entry) => entry.manager === clientSideManager && entry.operation === 'Update' && !entry.subresource);
  const mine = fields.find((entry) => entry.manager === manager && entry.operation === 'Apply' && !entry.subresource);
  if (old.length === 0) return undefined;
  const union = old.reduce((all, entry) => joinFields(all, (entry.fieldsV1 ?? {}) as FieldTree), (mine?.fieldsV1 ?? {}) as FieldTree);
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
  for (const [key, value] of Object.entries(b)) joined[key] = key in joined ? joinFields(joined[key] as FieldTree, value) : value;
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
    return new Error(`Server-side apply not available on the server: (may be incompatible with the flag --server-side): ${failure.message}`, { cause: failure });
  }
  return failure;
}

