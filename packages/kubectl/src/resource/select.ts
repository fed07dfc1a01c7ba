/** Finds the objects that a command applies to: by files, names, or selectors. */
import { runStep, type KubeObject, type StepObserver } from '@coxswain/apimachinery';
import { InvalidKubeconfig } from '@coxswain/client/kubeconfig/check-usable.ts';
import type { CommandContext } from '../context.ts';
import { asError, ConfigurationInvalid, Failures, ListFailure, throwFailures } from '../errors.ts';
import { readArguments } from './arguments.ts';
import { planNames, planTuples } from './by-name.ts';
import { planPaths } from './by-path.ts';
import { planSelectors } from './by-selector.ts';
import { isList, refreshed, type Info } from './info.ts';
import { itemsOf } from './manifest-info.ts';
import type { Plan, Selected, Selection, Visit } from './selection.ts';

export type { Selected, Selection } from './selection.ts';

/** @throws Error if the arguments are contradictory or name something that isn't served */
export async function select(context: CommandContext, selection: Selection): Promise<Selected> {
  const { observer } = context.io;
  const asked = { args: selection.args, filenames: selection.filenames };
  const plan = await runStep(observer, 'builder', () => planSelection(context, selection), asked).catch(
    (failure: Error) => {
      throw asConfigurationOf(failure, selection);
    },
  );
  const raw = () => {
    const visit = decorate(context, selection, plan.visit());
    return observer === undefined ? visit : observed(visit, observer);
  };
  const passes = (failure: Error) => selection.ignore?.(failure) === true;
  const failuresOf = (failure: Error): readonly Error[] => {
    if (failure instanceof Failures) return failure.failures.flatMap(failuresOf);
    if (!(failure instanceof ListFailure)) return passes(failure) ? [] : [failure];
    const kept = failure.failures.filter((one) => !passes(one));
    return kept.length === 0 ? [] : [new ListFailure(kept)];
  };
  return {
    singleItemImplied: plan.singleItemImplied,
    async *infos() {
      const failures: Error[] = [];
      for await (const one of raw()) {
        if (!(one instanceof Error)) yield one;
        else if (selection.continueOnError) failures.push(...failuresOf(one));
        else throwFailures(failuresOf(one));
      }
      throwFailures(failures);
    },
    async collect() {
      const infos: Info[] = [];
      const failures: Error[] = [];
      for await (const one of raw()) {
        if (!(one instanceof Error)) infos.push(one);
        else {
          failures.push(...failuresOf(one));
          if (!selection.continueOnError && failures.length > 0) break;
        }
      }
      return { infos, failures };
    },
    async each(body) {
      const failures: Error[] = [];
      let unread: readonly Error[] = [];
      for await (const one of raw()) {
        if (one instanceof Failures) {
          unread = failuresOf(one);
          continue;
        }
        try {
          if (one instanceof Error) throw one;
          await body(one);
        } catch (failure) {
          const error = asError(failure);
          if (passes(error)) continue;
          if (!selection.continueOnError) throw error;
          failures.push(...(error instanceof Failures ? error.failures : [error]));
        }
      }
      // Together with other failures, all unreadable documents count as one.
      const isOne = failures.length > 0 && unread.length > 1;
      throwFailures([...failures, ...(isOne ? [new Error(new Failures(unread).message)] : unread)]);
    },
  };
}

/** Makes each visited object a step. */
async function* observed(visit: Visit, observer: StepObserver): Visit {
  for (let visited = 0; ; visited++) {
    const next = await runStep(observer, 'visit', async () => {
      const found = await visit.next();
      const { value, done } = found;
      observer.note?.(
        done === true
          ? { visited }
          : value instanceof Error
            ? { failed: value.message }
            : { name: value.name, namespace: value.namespace },
      );
      return found;
    });
    if (next.done === true) return;
    yield next.value;
  }
}

/**
 * When kinds without a slash are looked up, a single problem of the kubeconfig is reported as an invalid configuration.
 */
function asConfigurationOf(failure: Error, { args = [], filenames = [] }: Selection): Error {
  const isPlain = filenames.length > 0 || args.some((word) => word.includes('/'));
  if (isPlain || !(failure.cause instanceof InvalidKubeconfig)) return failure;
  return new ConfigurationInvalid(failure.cause.problems);
}

async function planSelection(context: CommandContext, selection: Selection): Promise<Plan> {
  const { filenames = [], kustomize = '' } = selection;
  const problems: Error[] = [];
  if (kustomize !== '') {
    if (filenames.length > 0) problems.push(new Error('only one of -f or -k can be specified'));
    if (selection.recursive) problems.push(new Error("the -k flag can't be used with -f or -R"));
  }
  const parsed = await readArguments(context, selection).catch((error: unknown) => {
    throw problems.length === 0 ? error : new Failures([...problems, asError(error)]);
  });
  throwFailures(problems);
  if (filenames.length > 0 || kustomize !== '') return planPaths(context, selection, parsed);
  if (parsed.labelSelector !== undefined || parsed.fieldSelector !== undefined) {
    return planSelectors(context, selection, parsed);
  }
  if (parsed.tuples.length > 0) return planTuples(context, selection, parsed);
  if (parsed.names.length > 0) return planNames(context, selection, parsed);
  if (parsed.types.length > 0) {
    for (const type of parsed.types) await (await context.mapper()).forArgument(type);
    throw new Error('resource(s) were provided, but no name was specified');
  }
  throw new Error(missingResource);
}

/** The error of --local for names on the command line, since no server is asked for objects. */
export const localNames = `you must specify resources by --filename when --local is set.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'`;

const missingResource = `You must provide one or more resources by argument or filename.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'
   '<resource> <name>'
   '<resource>'`;

async function* decorate(_context: CommandContext, selection: Selection, visit: Visit): Visit {
  for await (const one of visit) {
    if (one instanceof Error || selection.flatten === false || !isList(one.object)) yield one;
    else {
      const { mapping } = one;
      for (const item of itemsOf(one.object as { items: KubeObject[] } & Partial<KubeObject>)) {
        yield refreshed({ ...one, mapping, name: '', namespace: '' }, item);
      }
    }
  }
}
