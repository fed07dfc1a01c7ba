import { mixedArguments } from '../../resource/arguments.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { bool, string, stringArray, stringSlice, type FlagValues } from '@coxswain/cobra';
import { command } from '../../command.ts';
import { completeTypesAndNames } from '../../completion/resources.ts';
import type { CommandContext } from '../../context.ts';
import { objectOf } from '../../resource/info.ts';
import { select } from '../../resource/select.ts';
import { listVariables } from './list-variables.ts';
import { readEnvironment, type EnvironmentChange } from './environment.ts';
import {
  matchesContainer,
  placeOf,
  SetFailure,
  withPodSpec,
  type Container,
  type EnvVar,
} from './pod-specs.ts';
import { changeObjects, requireObjects, selectToSet, setSelectorFlags } from './shared.ts';

const flags = {
  ...setSelectorFlags,
  containers: string({ shorthand: 'c', default: '*', usage: 'Which containers, with * for any text.' }),
  env: stringArray({ shorthand: 'e', usage: 'A variable as KEY=VALUE; may be given several times.' }),
  from: string({ usage: 'Variables for all keys of this config map or secret, as TYPE/NAME.' }),
  keys: stringSlice({ usage: 'Only these keys of --from.' }),
  list: bool({ usage: 'Print the variables.' }),
  overwrite: bool({ default: true, usage: 'Replace values that are there already.' }),
  prefix: string({ usage: 'Put before the names of --from.' }),
  resolve: bool({ usage: 'Look up values of config maps and secrets for --list.' }),
};

type Flags = FlagValues<typeof flags>;

export const env = command({
  use: 'env RESOURCE/NAME KEY_1=VAL_1 ... KEY_N=VAL_N',
  long: 'Set, remove and list the environment variables of the containers of pods and of what makes pods. KEY- removes one; - reads KEY=VALUE lines from standard input.',
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
    const { resources, change } = await readEnvironment(args, given.env, () => context.io.stdin());
    requireObjects(resources, given);
    requireOneForm(resources);
    if (given.list) {
      const selected = await selectToSet(context, given, resources);
      const choice = { isMeant: matchesContainer(given.containers), resolve: given.resolve };
      return selected.each((info) => listVariables(context, info, choice));
    }
    const added = [...(await variablesFrom(context, given)), ...change.set];
    if (added.length === 0 && change.remove.length === 0) return;
    const isMeant = matchesContainer(given.containers);
    await changeObjects(context, given, resources, {
      operation: 'env updated',
      failure: 'failed to patch env update to pod template: ',
      change: (object, info) =>
        withPodSpec(object, info, (spec) => {
          const { containers = [] } = spec;
          if (![...containers, ...(spec.initContainers ?? [])].some(isMeant)) {
            context.printError(
              `Warning: ${object.kind ?? ''}/${info.name} does not have any containers matching "${given.containers}"\n`,
            );
            return spec;
          }
          const changed = (container: Container): Container =>
            isMeant(container)
              ? withVariables(container, added, change, given.overwrite, placeOf(info))
              : container;
          return {
            ...spec,
            ...(spec.initContainers ? { initContainers: spec.initContainers.map(changed) } : {}),
            containers: containers.map(changed),
          };
        }),
    });
  },
});

/** `TYPE/NAME` and `TYPE NAME` don't mix; told even where nothing is to be changed. */
function requireOneForm(resources: readonly string[]): void {
  const slashes = resources.filter((word) => word.includes('/')).length;
  if (slashes > 0 && slashes < resources.length) throw new Error(mixedArguments);
}

function withVariables(
  container: Container,
  added: readonly EnvVar[],
  { remove }: EnvironmentChange,
  overwrite: boolean,
  place: string,
): Container {
  const variables = new Map((container.env ?? []).map((variable) => [variable.name, variable]));
  for (const variable of added) {
    const before = variables.get(variable.name);
    if (before !== undefined && !overwrite && before.value !== variable.value) {
      throw new SetFailure(
        `${place} '${variable.name}' already has a value (${before.value ?? ''}), and --overwrite is false`,
      );
    }
    variables.set(variable.name, variable);
  }
  for (const name of remove) variables.delete(name);
  const { env: _env, ...rest } = container;
  return variables.size === 0 ? rest : { ...rest, env: [...variables.values()] };
}

interface DataObject extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

async function variablesFrom(context: CommandContext, { from, keys, prefix }: Flags): Promise<EnvVar[]> {
  if (from === '') return [];
  const { namespace } = await context.namespace();
  const { infos, failures } = await (
    await select(context, { args: [from], namespace, latest: true })
  ).collect();
  if (failures[0] !== undefined) throw failures[0];
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
      return { name: prefix + name, valueFrom };
    });
  });
}
