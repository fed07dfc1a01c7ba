/** Applies one object: creates it if it doesn't exist, patches it if it does. */
import { StatusError, type KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { CommandContext } from '../context.ts';
import { readCascade } from '../flags/delete.ts';
import { asError } from '../errors.ts';
import type { DryRun } from '../flags/dry-run.ts';
import { ResourceHelper, type WriteOptions } from '../resource/resource-helper.ts';
import { mappingOf, objectOf, refreshed, type Info } from '../resource/info.ts';
import { sourced } from '../resource/with-source.ts';
import { lastApplied, lastAppliedAnnotation, withConfiguration } from './last-applied.ts';
import { describeInfo, patchObject } from './patcher.ts';
import { applyOnServer } from './server-side.ts';
import { recorded } from '../record/change-cause.ts';

export interface Applied {
  readonly info: Info;
  readonly operation: string;
}

export interface ApplyOptions {
  readonly serverSide: boolean;
  readonly dryRun: DryRun;
  readonly fieldManager: string;
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
  readonly forceConflicts: boolean;
  readonly subresource: string;
  /** Also overwrites fields that others have changed since. */
  readonly overwrite?: boolean;
  /** Deletes and recreates an object that can't be updated. */
  readonly force: boolean;
  readonly cascade: string;
  /** In seconds; negative for the object's own. */
  readonly gracePeriod: number;
  /** In milliseconds; 0 for no timeout of its own. */
  readonly timeout: number;
}

export async function applyObject(
  context: CommandContext,
  described: Info,
  options: ApplyOptions,
): Promise<Applied> {
  const object = recorded(context, objectOf(described));
  const info = { ...described, object };
  if (info.name === '' && object.metadata.generateName) {
    throw new Error(`from ${object.metadata.generateName}: cannot use generate name with apply`);
  }
  const helper = new ResourceHelper(await context.client(), mappingOf(info));
  if (options.serverSide) return applyOnServer(helper, info, options);
  return applyHere(context, helper, info, options);
}

async function applyHere(
  context: CommandContext,
  helper: ResourceHelper,
  info: Info,
  options: ApplyOptions,
): Promise<Applied> {
  const modified = withConfiguration(objectOf(info));
  const wanted = { ...info, object: modified };
  const write = {
    dryRun: options.dryRun === 'server',
    fieldManager: options.fieldManager,
    fieldValidation: options.fieldValidation,
  };
  const current = await getCurrent(helper, info);
  if (current === undefined) {
    // An update would leave out what is null, too.
    const object = withoutNulls(modified) as KubeObject;
    if (options.dryRun === 'client') return { info: { ...wanted, object }, operation: 'created' };
    try {
      return {
        info: refreshed(wanted, await helper.create(info.namespace, object, write)),
        operation: 'created',
      };
    } catch (failure) {
      throw sourced('creating', info.source, failure);
    }
  }
  if (lastApplied(current) === undefined) warnOfMissing(context, info);
  if (options.dryRun === 'client') return tried(context, wanted, current);
  try {
    const { overwrite = true } = options;
    const { patched, changed } = await patchObject(context, helper, wanted, current, { ...write, overwrite });
    return { info: refreshed(wanted, patched), operation: changed ? 'configured' : 'unchanged' };
  } catch (failure) {
    if (!options.force || !isRefusal(failure)) throw failure;
    return {
      info: refreshed(wanted, await recreate(context, helper, wanted, current, { ...options, ...write })),
      operation: 'configured',
    };
  }
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const set = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(set.map(([name, member]) => [name, withoutNulls(member)]));
}

/** Failures that --force resolves; nothing is deleted because of a broken connection. */
const isRefusal = (failure: unknown): boolean =>
  failure instanceof StatusError && (failure.reason === 'Conflict' || failure.reason === 'Invalid');

/** Computes the result without sending a request. */
async function tried(context: CommandContext, wanted: Info, current: KubeObject): Promise<Applied> {
  const { patchFor } = await import('./patcher.ts');
  const { applyPatch } = await import('../patch/apply-patch.ts');
  const { patchSchemaOf } = await import('../patch/kind-schema.ts');
  const { type, patch } = await patchFor(context, wanted, objectOf(wanted), current);
  if (Object.keys(patch).length === 0) return { info: refreshed(wanted, current), operation: 'unchanged' };
  const { group, version, kind } = mappingOf(wanted);
  const patched = applyPatch(current, type, patch, await patchSchemaOf(context, group, version, kind));
  return { info: refreshed(wanted, patched), operation: 'configured' };
}

/** Restores the old object if the new one can't be created. @throws the server's error about the new one */
async function recreate(
  context: CommandContext,
  helper: ResourceHelper,
  info: Info,
  current: KubeObject,
  { cascade, gracePeriod, timeout, ...options }: Omit<ApplyOptions, 'dryRun'> & WriteOptions,
): Promise<KubeObject> {
  const { waitUntil } = await import('../watch/until.ts');
  const grace = gracePeriod < 0 ? {} : { gracePeriodSeconds: gracePeriod };
  await helper.delete(info.namespace, info.name, { ...grace, propagationPolicy: readCascade(cascade) });
  await waitUntil(
    context,
    { mapping: mappingOf(info), namespace: info.namespace, name: info.name },
    timeout === 0 ? recreateWaitMs : timeout,
    (object) => (object === undefined ? true : undefined),
  );
  const write = { fieldManager: options.fieldManager, fieldValidation: options.fieldValidation };
  try {
    return await helper.create(info.namespace, info.object, write);
  } catch (failure) {
    const { resourceVersion: _version, uid: _uid, ...metadata } = current.metadata;
    const lost = await helper.create(info.namespace, { ...current, metadata }, write).catch(asError);
    if (!(lost instanceof Error)) throw failure;
    throw new Error(
      `An error occurred force-replacing the existing object with the newly provided one:\n\n${messageOf(failure)}.\n\nAdditionally, an error occurred attempting to restore the original object:\n\n${lost.message}`,
      { cause: failure },
    );
  }
}

const recreateWaitMs = 168 * 3600 * 1000;

async function getCurrent(helper: ResourceHelper, info: Info): Promise<KubeObject | undefined> {
  try {
    if (info.name === '') throw new Error('resource name may not be empty');
    return await helper.get(info.namespace, info.name, info.subresource);
  } catch (failure) {
    if (failure instanceof StatusError && failure.reason === 'NotFound') return undefined;
    const text = (message: string) =>
      `error when retrieving current configuration of:\n${describeInfo(info)}\nfrom server for: "${info.source}": ${message}`;
    if (failure instanceof StatusError)
      throw StatusError.from({ ...failure.status, message: text(failure.message) });
    if ((failure as Error).name === 'Error' && (failure as Error).constructor === Error)
      throw new Error(text(messageOf(failure)), { cause: failure });
    throw failure;
  }
}

function warnOfMissing(context: CommandContext, info: Info): void {
  context.warn(
    `resource ${mappingOf(info).resource}/${info.name} is missing the ${lastAppliedAnnotation} annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.`,
  );
}
