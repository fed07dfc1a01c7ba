import { lazy, string, bool } from '@coxswain/cobra';
import { command, usageError } from '../../command.ts';
import { withConfiguration } from '../../apply/last-applied.ts';
import { readDryRun, readValidation } from '../../flags/dry-run.ts';
import {
  dryRunFlag,
  fieldManagerFlag,
  filenameFlags,
  recordFlag,
  saveConfigFlag,
  selectorFlag,
  validateFlag,
} from '../../flags/object-flags.ts';
import { printFlags } from '../../flags/print.ts';
import { checkRawPath, sendRaw } from '../../raw.ts';
import { ResourceHelper } from '../../resource/resource-helper.ts';
import { mappingOf, objectOf, refreshed } from '../../resource/info.ts';
import { select } from '../../resource/select.ts';
import { withSource } from '../../resource/with-source.ts';
import { contentValidator } from '../../resource/validate.ts';
import { recorded } from '../../record/change-cause.ts';

const flags = {
  ...printFlags,
  ...dryRunFlag,
  ...validateFlag,
  ...saveConfigFlag,
  ...fieldManagerFlag('kubectl-create'),
  ...filenameFlags('to create from'),
  ...selectorFlag,
  ...recordFlag,
  edit: bool({ usage: 'Edit the objects before creating them.' }),
  raw: string({ usage: 'Raw URI to POST the file to.' }),
  windowsLineEndings: bool({
    usage: 'Use Windows line endings with --edit. Defaults to those of your platform.',
  }),
};

export const create = command({
  use: 'create -f FILENAME',
  long: `Create objects from files or standard input, in JSON or YAML. The subcommands create a single object from flags.`,
  example: `  # From a file
  kubectl create -f pod.yaml

  # From standard input
  cat pod.json | kubectl create -f -

  # A deployment, without a file
  kubectl create deployment web --image=nginx`,
  disableFlagsInUseLine: true,
  flags,
  commands: [
    lazy({
      name: 'clusterrole',
      short: 'Create a cluster role',
      load: async () => (await import('./clusterrole.ts')).clusterrole,
    }),
    lazy({
      name: 'clusterrolebinding',
      short: 'Create a cluster role binding',
      load: async () => (await import('./clusterrolebinding.ts')).clusterrolebinding,
    }),
    lazy({
      name: 'configmap',
      aliases: ['cm'],
      short: 'Create a config map from files, directories or literal values',
      load: async () => (await import('./configmap.ts')).configmap,
    }),
    lazy({
      name: 'cronjob',
      aliases: ['cj'],
      short: 'Create a cron job',
      load: async () => (await import('./cronjob.ts')).cronjob,
    }),
    lazy({
      name: 'deployment',
      aliases: ['deploy'],
      short: 'Create a deployment',
      load: async () => (await import('./deployment.ts')).deployment,
    }),
    lazy({
      name: 'ingress',
      aliases: ['ing'],
      short: 'Create an ingress',
      load: async () => (await import('./ingress.ts')).ingress,
    }),
    lazy({ name: 'job', short: 'Create a job', load: async () => (await import('./job.ts')).job }),
    lazy({
      name: 'namespace',
      aliases: ['ns'],
      short: 'Create a namespace',
      load: async () => (await import('./namespace.ts')).namespace,
    }),
    lazy({
      name: 'poddisruptionbudget',
      aliases: ['pdb'],
      short: 'Create a pod disruption budget',
      load: async () => (await import('./poddisruptionbudget.ts')).poddisruptionbudget,
    }),
    lazy({
      name: 'priorityclass',
      aliases: ['pc'],
      short: 'Create a priority class',
      load: async () => (await import('./priorityclass.ts')).priorityclass,
    }),
    lazy({
      name: 'quota',
      aliases: ['resourcequota'],
      short: 'Create a quota',
      load: async () => (await import('./quota.ts')).quota,
    }),
    lazy({
      name: 'role',
      short: 'Create a role with a single rule',
      load: async () => (await import('./role.ts')).role,
    }),
    lazy({
      name: 'rolebinding',
      short: 'Create a role binding',
      load: async () => (await import('./rolebinding.ts')).rolebinding,
    }),
    lazy({
      name: 'secret',
      short: 'Create a secret',
      load: async () => (await import('./secret.ts')).secret,
    }),
    lazy({
      name: 'service',
      aliases: ['svc'],
      short: 'Create a service',
      load: async () => (await import('./service.ts')).service,
    }),
    lazy({
      name: 'serviceaccount',
      aliases: ['sa'],
      short: 'Create a service account',
      load: async () => (await import('./serviceaccount.ts')).serviceaccount,
    }),
    lazy({
      name: 'token',
      short: 'Request a service account token',
      load: async () => (await import('./token.ts')).token,
    }),
  ],
  async run(invocation) {
    const { context, args, flags } = invocation;
    if (args.length > 0) throw usageError(invocation, `Unexpected args: [${args.join(' ')}]`);
    if (flags.filename.length === 0 && flags.kustomize === '') {
      throw new Error('must specify one of -f and -k');
    }
    const dryRun = readDryRun(context, flags.dryRun);
    const fieldValidation = readValidation(flags.validate);
    // Edited objects are reported as created, even in a dry run.
    const print = await context.printer(flags, {
      operation: 'created',
      dryRun: flags.edit ? 'none' : dryRun,
    });
    if (flags.raw !== '') {
      checkRawOptions(flags);
      return sendRaw(context, 'POST', flags.raw, flags.filename[0] as string);
    }
    if (flags.edit) {
      const { editBeforeCreate } = await import('../../edit/edit-before-create.ts');
      return editBeforeCreate(context, flags, print);
    }
    // Reports a missing server configuration once, not for each object.
    await context.client();
    const { namespace, explicit } = await context.namespace();
    const selected = await select(context, {
      filenames: flags.filename,
      kustomize: flags.kustomize,
      recursive: flags.recursive,
      labelSelector: flags.selector,
      namespace,
      requireNamespace: explicit,
      continueOnError: true,
      validate: contentValidator(context, fieldValidation),
    });
    let count = 0;
    await selected.each(async (found) => {
      await withSource('creating', found.source, async () => {
        const described = flags.saveConfig ? withConfiguration(objectOf(found)) : objectOf(found);
        const object = recorded(context, described);
        let info = { ...found, object };
        if (dryRun !== 'client') {
          const helper = new ResourceHelper(await context.client(), mappingOf(info));
          const options = { dryRun: dryRun === 'server', fieldManager: flags.fieldManager, fieldValidation };
          info = {
            ...info,
            ...refreshed(info, await helper.create(info.namespace, object, options)),
          } as typeof info;
        }
        count++;
        context.print(print(info.object));
      });
    });
    if (count === 0) throw new Error('no objects passed to create');
  },
});

interface RawFlags {
  readonly raw: string;
  readonly edit: boolean;
  readonly filename: readonly string[];
  readonly recursive: boolean;
  readonly selector: string;
  readonly output: string;
}

function checkRawOptions(flags: RawFlags): void {
  if (flags.edit) throw new Error('--raw and --edit are mutually exclusive');
  if (flags.filename.length !== 1) throw new Error('--raw can only use a single local file or stdin');
  if (/^https?:\/\//.test(flags.filename[0] ?? '')) throw new Error('--raw cannot read from a url');
  if (flags.recursive) throw new Error('--raw and --recursive are mutually exclusive');
  if (flags.selector !== '') throw new Error('--raw and --selector (-l) are mutually exclusive');
  if (flags.output !== '') throw new Error('--raw and --output are mutually exclusive');
  checkRawPath(flags.raw);
}
