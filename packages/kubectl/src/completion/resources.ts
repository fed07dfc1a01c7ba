/** Completion of kinds and names, asked of the server. */
import { completionDirective, type Completion, type CompletionResult } from '@coxswain/cobra';
import type { KubeObject } from '@coxswain/apimachinery';
import type { CommandContext } from '../context.ts';
import { ResourceHelper } from '../resource/helper.ts';
import type { ResourceMapping } from '../resource/mapping.ts';

type KubectlCompletion = Completion<CommandContext>;

const noFiles = (candidates: readonly string[]): CompletionResult => ({
  candidates,
  directive: completionDirective.noFiles,
});

/** What can't be asked is not completed. */
const quietly =
  (body: KubectlCompletion): KubectlCompletion =>
  async (invocation, typed) => {
    try {
      return await body(invocation, typed);
    } catch {
      return noFiles([]);
    }
  };

async function namesOf(
  context: CommandContext,
  mapping: ResourceMapping,
  typed: string,
  prefix = '',
): Promise<string[]> {
  const { namespace } = await context.namespace();
  const list = await new ResourceHelper(await context.client(), mapping).list(
    mapping.namespaced ? namespace : '',
  );
  const items = (list as KubeObject & { items?: KubeObject[] }).items ?? [];
  return items.map((item) => `${prefix}${item.metadata.name ?? ''}`).filter((name) => name.startsWith(typed));
}

/** Names of one kind; only for the first argument. */
export const completeNames = (type: string): KubectlCompletion =>
  quietly(async ({ context, args }, typed) => {
    if (args.length > 0) return noFiles([]);
    return noFiles(await namesOf(context, await (await context.mapper()).forArgument(type), typed));
  });

/** `TYPE NAME…` or `TYPE/NAME…` */
export const completeTypesAndNames: KubectlCompletion = quietly(async ({ context, args }, typed) => {
  const mapper = await context.mapper();
  const [type, ...names] = args;
  if (typed.includes('/') || (type?.includes('/') ?? false)) {
    const kind = typed.includes('/') ? typed.split('/')[0] : undefined;
    if (kind === undefined) return noFiles([]);
    const found = await namesOf(context, await mapper.forArgument(kind), typed, `${kind}/`);
    return noFiles(found.filter((name) => !args.includes(name)));
  }
  if (type === undefined) return noFiles(await completeTypes(context, typed));
  const found = await namesOf(context, await mapper.forArgument(type), typed);
  return noFiles(found.filter((name) => !names.includes(name)));
});

async function completeTypes(context: CommandContext, typed: string): Promise<string[]> {
  const all = await (await context.mapper()).all();
  const names = all
    .filter((mapping) => mapping.verbs.includes('get') || mapping.verbs.includes('list'))
    .map(({ resource, group }) => (group === '' ? resource : `${resource}.${group}`));
  return [...new Set(names)].filter((name) => name.startsWith(typed)).sort();
}
