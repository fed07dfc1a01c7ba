import { readFailureText } from '@coxswain/apimachinery/system-message.ts';
import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { StatusError, type KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { bool, string } from '@coxswain/cobra';
import { command } from '../command.ts';
import { completeTypesAndNames } from '../completion/resources.ts';
import type { CommandContext } from '../context.ts';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { printFlags } from '../flags/print.ts';
import { readDryRun } from '../flags/dry-run.ts';
import {
  dryRunFlag,
  fieldManagerFlag,
  filenameFlags,
  recordFlag,
  subresourceFlag,
} from '../flags/object-flags.ts';
import { patchHere } from '../patch/patch-here.ts';
import { ResourceHelper, type PatchType } from '../resource/resource-helper.ts';
import { mappingOf } from '../resource/info.ts';
import { groupVersionOf } from '../mapping.ts';
import { select } from '../resource/select.ts';
import { sameJson } from '../same-json.ts';
import { recordPatch } from '../record/change-cause.ts';

const patchTypes: readonly PatchType[] = ['json', 'merge', 'strategic'];

export const patch = command({
  use: 'patch (-f FILENAME | TYPE NAME) [-p PATCH|--patch-file FILE]',
  long: `Change fields of an object with a patch in JSON or YAML: a strategic merge patch, a JSON merge patch or a JSON patch.

 Custom resources do not support strategic merge patches.`,
  example: `  # One field
  kubectl patch deployment web -p '{"spec":{"replicas":2}}'

  # The image of one container; its name says which
  kubectl patch deployment web -p '{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"nginx:2"}]}}}}'

  # By position, in a JSON patch
  kubectl patch pod web --type=json -p '[{"op":"replace","path":"/spec/containers/0/image","value":"nginx:2"}]'`,
  disableFlagsInUseLine: true,
  complete: completeTypesAndNames,
  flags: {
    ...printFlags,
    ...dryRunFlag,
    ...fieldManagerFlag('kubectl-patch'),
    ...filenameFlags('that name the object to patch'),
    ...subresourceFlag,
    ...recordFlag,
    local: bool({
      usage: 'Run locally: patch the object in a file and print it, without contacting a server.',
    }),
    patch: string({ shorthand: 'p', usage: 'The patch to apply, in JSON or YAML.' }),
    patchFile: string({ usage: 'A file containing the patch.' }),
    type: string({ default: 'strategic', usage: 'The type of patch: json, merge or strategic.' }),
  },
  async run({ context, flags, args }) {
    // An empty one counts as unspecified.
    const type = (flags.type || 'strategic').toLowerCase() as PatchType;
    if (flags.patch !== '' && flags.patchFile !== '')
      throw new Error('cannot specify --patch and --patch-file together');
    if (flags.patch === '' && flags.patchFile === '') {
      throw new Error('must specify --patch or --patch-file containing the contents of the patch');
    }
    if (flags.local && args.length > 0) throw new Error('cannot specify --local and server resources');
    const dryRun = readDryRun(context, flags.dryRun);
    if (flags.local && dryRun === 'server') {
      throw new Error('cannot specify --local and --dry-run=server - did you mean --dry-run=client?');
    }
    if (!patchTypes.includes(type)) {
      throw new Error(`--type must be one of [${[...patchTypes].sort().join(' ')}], not "${flags.type}"`);
    }
    const { namespace, explicit } = flags.local
      ? { namespace: '', explicit: false }
      : await context.namespace();
    const body = readPatch(context, flags);
    const selected = await select(context, {
      args,
      filenames: flags.filename,
      kustomize: flags.kustomize,
      recursive: flags.recursive,
      namespace,
      requireNamespace: explicit,
      local: flags.local,
      subresource: flags.subresource,
      continueOnError: true,
      requireObject: false,
    });
    let count = 0;
    await selected.each(async (info) => {
      count++;
      const print = async (changed: boolean) =>
        context.printer(flags, {
          operation: changed ? 'patched' : 'patched (no change)',
        });
      if (flags.local || dryRun === 'client') {
        const current = info.object ?? (await fetch(context, info));
        const patched = await patchHere(current, type, body.value());
        return context.print((await print(!sameJson(current, patched)))(patched));
      }
      const mapping = mappingOf(info);
      const helper = new ResourceHelper(await context.client(), mapping);
      const before = await helper.get(info.namespace, info.name, flags.subresource);
      const options = {
        dryRun: dryRun === 'server',
        fieldManager: flags.fieldManager,
        subresource: flags.subresource,
      };
      let patched: KubeObject;
      try {
        patched = await helper.patch(info.namespace, info.name, type, body.bytes(), options);
      } catch (failure) {
        if (failure instanceof StatusError && failure.reason === 'UnsupportedMediaType') {
          throw new Error(
            `application/${type === 'strategic' ? 'strategic-merge' : type}-patch+json is not supported by ${groupVersionOf(mapping)}, Kind=${mapping.kind}: ${failure.message}`,
            { cause: failure },
          );
        }
        throw failure;
      }
      const cause = recordPatch(context, patched);
      // A failure to record the cause is ignored.
      const noted =
        cause &&
        (await helper.patch(info.namespace, info.name, 'merge', cause, options).catch(() => patched));
      context.print((await print(!sameJson(before, patched)))(noted ?? patched));
    });
    if (count === 0) throw new Error('no objects passed to patch');
  },
});

async function fetch(context: CommandContext, info: import('../resource/info.ts').Info): Promise<KubeObject> {
  return new ResourceHelper(await context.client(), mappingOf(info)).get(
    info.namespace,
    info.name,
    info.subresource,
  );
}

interface PatchBody {
  /** Returns what is sent. Text that is not valid YAML is left to the server to refuse. */
  bytes(): Uint8Array;
  /** Undefined for invalid JSON. @throws Error for invalid YAML */
  value(): unknown;
}

function readPatch(
  context: CommandContext,
  flags: { readonly patch: string; readonly patchFile: string },
): PatchBody {
  const text = flags.patchFile === '' ? flags.patch : readPatchFile(context, flags.patchFile);
  const isJson = /^\s*[[{]/.test(text);
  const value = () => {
    try {
      return isJson ? (JSON.parse(text) as unknown) : readYaml(text);
    } catch (failure) {
      if (/^\s*[{]/.test(text)) return undefined;
      throw new Error(`unable to parse "${text}": ${messageOf(failure)}`, { cause: failure });
    }
  };
  return {
    value,
    bytes: () => new TextEncoder().encode(isJson ? text : JSON.stringify(value())),
  };
}

function readPatchFile(context: CommandContext, file: string): string {
  try {
    return readFileSync(isAbsolute(file) ? file : join(context.io.workingDirectory, file), 'utf8');
  } catch (failure) {
    throw new Error(`unable to read patch file: ${readFailureText(file, failure)}`, { cause: failure });
  }
}
