import { mixedArguments } from '../../resource/arguments.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { bool, string, stringArray, stringSlice, type FlagValues } from '@coxswain/cobra';
import { command } from '../../command.ts';
import { completeTypesAndNames } from '../../completion/resources.ts';
import type { CommandContext } from '../../context.ts';
import { throwFailures } from '../../errors.ts';
import { readDryRun } from '../../flags/dry-run.ts';
import { objectOf, type Info } from '../../resource/info.ts';
import { listVariables, type ListChoice } from './list-variables.ts';
import {
  changedVariables,
  readEnvironment,
  refuseOverwriting,
  splitEnvironment,
  type EnvironmentChange,
} from './environment.ts';
import { mapContainers, matchesContainer, withPodSpec, type Container, type EnvVar } from './pod-specs.ts';
import { changeObjects, localOnServer, selectToSet, setSelectorFlags } from './change-objects.ts';

const flags = {
  ...setSelectorFlags,
  containers: string({
    shorthand: 'c',
    default: '*',
    usage: "The names of the containers to change. Can contain '*' as a wildcard.",
  }),
  env: stringArray({ shorthand: 'e', usage: 'An environment variable as KEY=VALUE. Can be repeated.' }),
  from: string({ usage: 'The ConfigMap or Secret, as TYPE/NAME, to import environment variables from.' }),
  keys: stringSlice({ usage: 'Comma-separated keys to import from --from.' }),
  list: bool({ usage: 'Display the environment variables instead of changing them.' }),
  overwrite: bool({ default: true, usage: 'Overwrite existing values.' }),
  prefix: string({ usage: 'Prefix for the names of the variables.' }),
  resolve: bool({ usage: 'With --list: show the values of ConfigMap and Secret references.' }),
};

type Flags = FlagValues<typeof flags>;

export const env = command({
  use: 'env RESOURCE/NAME KEY_1=VAL_1 ... KEY_N=VAL_N',
  long: 'Set, remove and list environment variables in pods and pod templates. KEY- removes a variable; - reads KEY=VALUE lines from standard input.',
  example: `  # One variable
  kubectl set env deployment/web DEBUG=1

  # All of a secret
  kubectl set env deployment/web --from=secret/passwords --prefix=PW_

  # What is set
  kubectl set env deployment/web --list`,
  disableFlagsInUseLine: true,
  complete: completeTypesAndNames,
  flags,
  async run({ context, args, flags: given }) {
    if (given.all && given.selector) throw new Error('cannot set --all and --selector at the same time');
    const { resources, changes } = splitEnvironment(args);
    await context.printer(given, { operation: '', dryRun: readDryRun(context, given.dryRun) });
    check(context, given, resources);
    if ([...given.env, ...changes].includes('-') && given.filename.includes('-'))
      throw new Error('standard input cannot be used for multiple arguments');
    const asked = await readEnvironment([...given.env, ...changes], () => context.io.stdin());
    const change = {
      ...asked,
      set: [...asked.set, ...(await variablesFrom(context, given))].map((variable) => ({
        ...variable,
        name: given.prefix + variable.name,
      })),
    };
    requireOneForm(resources);
    const isMeant = matchesContainer(given.containers);
    const changed = (object: KubeObject, info: Info): KubeObject =>
      withPodSpec(object, (spec) => {
        if (![...(spec.containers ?? []), ...(spec.initContainers ?? [])].some(isMeant)) {
          context.printError(
            `Warning: ${object.kind ?? ''}/${info.name} does not have any containers matching "${given.containers}"\n`,
          );
          return spec;
        }
        return mapContainers(spec, (container) =>
          isMeant(container) ? withVariables(container, change, given.overwrite) : container,
        );
      });
    if (given.list) {
      const { infos, failures } = await (await selectToSet(context, given, resources)).collect();
      throwFailures(failures);
      for (const info of infos) await list(context, info, changed, { isMeant, resolve: given.resolve });
      return;
    }
    await changeObjects(context, given, resources, {
      operation: 'env updated',
      failure: 'failed to patch env update to pod template: ',
      ...(change.set.length === 0 && changes.length === 0 ? { unprinted: nothingAsked } : {}),
      change: changed,
    });
  },
});

/** Reported only after the object was written. */
const nothingAsked = 'at least one environment variable must be provided';

function check(context: CommandContext, given: Flags, resources: readonly string[]): void {
  if (given.local && readDryRun(context, given.dryRun) === 'server') throw new Error(localOnServer);
  if (given.filename.length === 0 && resources.length === 0)
    throw new Error('one or more resources must be specified as <resource> <name> or <resource>/<name>');
  if (given.list && given.output !== '') throw new Error('--list and --output may not be specified together');
  if (given.keys.length > 0 && given.from === '')
    throw new Error('when specifying --keys, a configmap or secret must be provided with --from');
}

/** Skips objects without pods, and those that can't be changed as requested. */
async function list(
  context: CommandContext,
  info: Info,
  changed: (object: KubeObject, info: Info) => KubeObject,
  choice: ListChoice,
): Promise<void> {
  let object: KubeObject;
  try {
    object = changed(objectOf(info), info);
  } catch {
    return;
  }
  await listVariables(context, { ...info, object }, choice);
}

/** `TYPE/NAME` and `TYPE NAME` can't be mixed; reported even if nothing is to be changed. */
function requireOneForm(resources: readonly string[]): void {
  const slashes = resources.filter((word) => word.includes('/')).length;
  if (slashes > 0 && slashes < resources.length) throw new Error(mixedArguments);
}

function withVariables(container: Container, change: EnvironmentChange, overwrite: boolean): Container {
  const { env = [], ...rest } = container;
  if (!overwrite) refuseOverwriting(env, change);
  const variables = changedVariables(env, change);
  return variables.length === 0 ? rest : { ...container, env: variables };
}

interface DataObject extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

async function variablesFrom(context: CommandContext, given: Flags): Promise<EnvVar[]> {
  const { from, keys } = given;
  if (from === '') return [];
  const { infos, failures } = await (await selectToSet(context, given, [from])).collect();
  throwFailures(failures);
  return infos.flatMap((info) => {
    const { kind, data = {} } = objectOf(info) as DataObject;
    if (kind !== 'Secret' && kind !== 'ConfigMap')
      throw new Error(`unsupported resource specified in --from`);
    const chosen = Object.keys(data)
      .sort()
      .filter((key) => keys.length === 0 || keys.includes(key));
    return chosen.map((key) => {
      const name = key.replaceAll(/[^A-Za-z0-9_]/g, '_').toUpperCase();
      if (name !== key) context.printError(`Warning: key ${key} transferred to ${name}\n`);
      const reference = { key, name: info.name };
      const valueFrom = kind === 'Secret' ? { secretKeyRef: reference } : { configMapKeyRef: reference };
      return { name, valueFrom };
    });
  });
}
