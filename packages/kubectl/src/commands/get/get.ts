import { isNotFound } from '../../resource/fetch.ts';
import { runStep, type KubeObject } from '@coxswain/apimachinery';
import { command, usageError, type Invocation } from '../../command.ts';
import { completeTypesAndNames } from '../../completion/resources.ts';
import type { CommandContext } from '../../context.ts';
import { asError, ExitError, Failures, throwFailures } from '../../errors.ts';
import { PartialOutput } from '../../printers/partial-output.ts';
import { alignTabs } from '../../printers/tab-writer.ts';
import { isTable, tablePrinter, type TablePrinter } from '../../printers/table.ts';
import { checkRawPath, sendRaw } from '../../raw.ts';
import { isList, mappingOf, type Info } from '../../resource/info.ts';
import { groupKindOf } from '../../mapping.ts';
import { select, type Selection } from '../../resource/select.ts';
import { failsAsList } from '../../resource/selection.ts';
import { getFlags } from './flags.ts';
import { isForPeople, structuredPrinter, tableOptions, tableRequest, type GetFlags } from './output.ts';
import { sortObjects, sortTable, Unsortable } from './sort.ts';

export const get = command({
  use: 'get [(-o|--output=)json|yaml|kyaml|name|go-template|go-template-file|template|templatefile|jsonpath|jsonpath-as-json|jsonpath-file|custom-columns|custom-columns-file|wide] (TYPE[.VERSION][.GROUP] [NAME | -l label] | TYPE[.VERSION][.GROUP]/NAME ...) [flags]',
  long: `Show objects as a table of their most important fields, or in one of many output formats.

 Use selectors to filter objects. Only those in the current namespace are shown unless --all-namespaces is set.

Use "kubectl api-resources" for a complete list of supported resources.`,
  example: `  # All pods as a table
  kubectl get pods

  # One deployment in YAML, in a certain version of its group
  kubectl get deployments.v1.apps web -o yaml

  # Names and images of the pods with a label
  kubectl get pods -l app=web -o custom-columns=NAME:.metadata.name,IMAGE:.spec.containers[*].image

  # Several kinds at once
  kubectl get deployments,services

  # The phase of one pod
  kubectl get pod web-1 -o jsonpath={.status.phase}`,
  disableFlagsInUseLine: true,
  flags: getFlags,
  complete: completeTypesAndNames,
  async run(invocation) {
    const { context, flags, args } = invocation;
    if (flags.raw !== '') {
      checkRaw(flags, args);
      checkOutput(flags);
      return sendRaw(context, 'GET', flags.raw);
    }
    const { namespace, explicit } = await context.namespace();
    if (
      args.length === 0 &&
      flags.filename.length === 0 &&
      flags.kustomize === '' &&
      !flags.watch &&
      !flags.watchOnly
    ) {
      throw missingType(invocation);
    }
    checkOutput(flags);
    const selection: Selection = {
      args,
      filenames: flags.filename,
      kustomize: flags.kustomize,
      recursive: flags.recursive,
      namespace,
      requireNamespace: explicit && !flags.allNamespaces,
      allNamespaces: flags.allNamespaces,
      labelSelector: flags.selector,
      fieldSelector: flags.fieldSelector,
      subresource: flags.subresource,
      chunkSize: flags.sortBy === '' ? flags.chunkSize : 0,
      allowEmptySelector: true,
      latest: true,
      request: tableRequest(flags),
    };
    if (flags.watch || flags.watchOnly) {
      const { watchObjects } = await import('./watch.ts');
      return exitOnUnsortable(context, () => watchObjects(context, flags, selection));
    }
    return exitOnUnsortable(context, () =>
      isForPeople(flags)
        ? printTables(context, flags, selection, namespace)
        : printStructured(context, flags, selection),
    );
  },
});

/** A path to unsortable values ends the program with a log line. */
async function exitOnUnsortable(context: CommandContext, print: () => Promise<void>): Promise<void> {
  try {
    await print();
  } catch (failure) {
    if (!(failure instanceof Unsortable)) throw failure;
    context.log('F', failure.message);
    throw new ExitError(1);
  }
}
function checkRaw(flags: GetFlags, args: readonly string[]): void {
  if (args.length > 0) throw new Error('arguments may not be passed when --raw is specified');
  if (flags.watch || flags.watchOnly || flags.selector !== '') {
    throw new Error(
      '--raw may not be specified with other flags that filter the server request or alter the output',
    );
  }
  if (flags.output !== '') throw new Error('--raw and --output are mutually exclusive');
  checkRawPath(flags.raw);
}

function checkOutput(flags: GetFlags): void {
  if (flags.showLabels && flags.output !== '' && flags.output !== 'wide') {
    throw new Error(`--show-labels option cannot be used with ${flags.output} printer`);
  }
  if (flags.outputWatchEvents && !flags.watch && !flags.watchOnly) {
    throw new Error('--output-watch-events option can only be used with --watch or --watch-only');
  }
}

function missingType(invocation: Invocation<CommandContext, typeof getFlags>): Error {
  invocation.context.printError(
    'You must specify the type of resource to get. Use "kubectl api-resources" for a complete list of supported resources.\n\n',
  );
  return usageError(
    invocation,
    'Required resource not specified.\nUse "kubectl explain <resource>" for a detailed description of that resource (e.g. kubectl explain pods).',
  );
}

async function printTables(
  context: CommandContext,
  flags: GetFlags,
  selection: Selection,
  namespace: string,
): Promise<void> {
  const selected = await select(context, {
    ...selection,
    continueOnError: true,
    failedLists: 'one',
    ...(flags.ignoreNotFound ? { ignore: isNotFound } : {}),
  });
  const collected = await selected.collect();
  const infos = flags.sortBy === '' ? collected.infos : sorted(collected.infos, flags.sortBy);
  const text = tablesText(context, flags, infos);
  const shown = await forTerminal(context, text);
  runStep(context.io.observer, 'print', () => context.print(shown), { format: 'table' });
  if (text === '' && !flags.ignoreNotFound && collected.failures.length === 0) {
    const namespaced = infos.every((info) => info.mapping?.namespaced !== false);
    context.printError(
      namespaced && !flags.allNamespaces
        ? `No resources found in ${namespace} namespace.\n`
        : 'No resources found\n',
    );
  }
  if (collected.failures.length > 0) throw new Failures(collected.failures, failsAsList(selection));
}

/** Adds colours if requested. */
async function forTerminal(context: CommandContext, text: string): Promise<string> {
  if (!context.rich.color) return text;
  const { tablePainter } = await import('../../terminal/state-colors.ts');
  return tablePainter()(text);
}

/** Sorts rows of tables, or objects, by the field of --sort-by. A table that can't be sorted isn't shown. */
function sorted(infos: readonly Info[], field: string): Info[] {
  if (infos.length < 2 && infos.every((info) => isTable(info.object))) {
    return infos.flatMap((info) => {
      try {
        const object = sortTable(info.object as unknown as Parameters<typeof sortTable>[0], field);
        return [{ ...info, object: object as unknown as KubeObject }];
      } catch (failure) {
        if (failure instanceof Unsortable) throw failure;
        return [];
      }
    });
  }
  return infos.length < 2 ? [...infos] : sortObjects(infos, field, (info) => info.object);
}

/** One block of lines per kind, separated by empty lines. */
function tablesText(context: CommandContext, flags: GetFlags, infos: readonly Info[]): string {
  const kinds = new Set(infos.map((info) => groupKindOf(mappingOf(info))));
  const withKind = flags.showKind || kinds.size > 1;
  const blocks: string[] = [];
  let print: TablePrinter | undefined;
  let last = '';
  for (const info of infos) {
    const mapping = mappingOf(info);
    const key = `${mapping.resource}.${mapping.version}.${mapping.group}`;
    if (print === undefined || key !== last) {
      print = tablePrinter(
        {
          ...tableOptions(flags),
          withNamespace: flags.allNamespaces && mapping.namespaced,
          ...(withKind ? { kindPrefix: groupKindOf(mapping).toLowerCase() } : {}),
        },
        () => context.clock.now(),
      );
      blocks.push('');
      last = key;
    }
    blocks.push((blocks.pop() ?? '') + print(info.object));
  }
  const shown = blocks.filter((block) => block !== '').map((block) => alignTabs(block));
  return shown.join(flags.noHeaders ? '' : '\n');
}

async function printStructured(
  context: CommandContext,
  flags: GetFlags,
  selection: Selection,
): Promise<void> {
  const selected = await select(context, {
    ...selection,
    continueOnError: true,
    failedLists: 'each',
    ...(flags.ignoreNotFound ? { ignore: isNotFound } : {}),
  });
  const { infos, failures } = await selected.collect();
  if (failures.length > 0 && selected.singleItemImplied) throwFailures(failures);
  if (infos.length === 0 && flags.ignoreNotFound) return throwFailures(failures);
  const print = structuredPrinter(context, flags);
  const single = selected.singleItemImplied && infos.length === 1 ? infos[0]?.object : undefined;
  const problems = [...failures];
  try {
    const object = single !== undefined && !isList(single) ? single : listOf(infos, flags);
    runStep(
      context.io.observer,
      'print',
      () => context.print(print(object)),
      { output: flags.output },
      print,
    );
  } catch (failure) {
    if (failure instanceof Unsortable || problems.length === 0) throw failure;
    if (failure instanceof PartialOutput) context.print(failure.written);
    problems.push(asError(failure));
  }
  throwFailures(problems);
}

function listOf(infos: readonly Info[], flags: GetFlags) {
  const items = infos.map((info) => info.object);
  return {
    apiVersion: 'v1',
    items: flags.sortBy === '' ? items : sortObjects(items, flags.sortBy, (item) => item),
    kind: 'List',
    metadata: { resourceVersion: '' },
  };
}
