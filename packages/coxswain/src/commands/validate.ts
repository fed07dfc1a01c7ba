/** `coxswain validate -f dir/`, `helm template . | coxswain validate -f -` */
import { text as textOf } from 'node:stream/consumers';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { bool, commandFor, noArgs, string, stringArray } from '@coxswain/cobra';
import { CommandFailure } from '../command-failure.ts';
import type { ProgramIo } from '../program-io.ts';
import { inReadingOrder } from '../validate/finding.ts';
import { readManifests, type ManifestPlaces, type ManifestsRead } from '../validate/read-manifests.ts';
import type { Report } from '../validate/report.ts';
import { validateManifests } from '../validate/validate-manifests.ts';

const command = commandFor<ProgramIo>();

/** Each is loaded by those who ask for it. */
const reports: Readonly<Record<string, () => Promise<(report: Report) => string>>> = {
  text: async () => (await import('../validate/report-text.ts')).reportText,
  sarif: async () => (await import('../validate/report-sarif.ts')).reportSarif,
  junit: async () => (await import('../validate/report-junit.ts')).reportJunit,
};

export const validate = command({
  use: 'validate (-f FILE | -k DIRECTORY)...',
  short: 'Tell what the API server would say to manifests',
  long: `Asks an API server in this process whether it would take the objects of files: they are decoded, defaulted and
validated as by Kubernetes 1.36, unknown fields are errors. No cluster is needed, and nothing is asked over the network.

CustomResourceDefinitions, admission policies with their parameters and bindings, namespaces, limit ranges and classes
that are found on the way count for all other objects, which are judged one by one. Definitions and policies that only
help to judge are named by --with. Webhooks are not called, quotas and service accounts not looked for.

The exit status is 0 when all objects would be taken, 1 when something is found, and 2 when that can't be told: a file
is missing, a kustomization can't be built, a flag is wrong.`,
  example: `  coxswain validate -f deploy/ -R
  coxswain validate -k overlays/production --with crds/
  helm template shop charts/shop | coxswain validate -f -
  coxswain validate -f deploy/ -o sarif > validate.sarif`,
  args: noArgs,
  flags: {
    featureGates: stringArray({ usage: 'NAME=true|false, as of kube-apiserver.' }),
    filename: stringArray({
      shorthand: 'f',
      usage: 'A file, a directory, a pattern, or - for standard input. May be given more than once.',
    }),
    ignoreUnknownKinds: bool({ usage: 'Pass over objects of kinds that nothing defines.' }),
    kustomize: stringArray({ shorthand: 'k', usage: 'The directory of a kustomization.' }),
    namespace: string({ shorthand: 'n', default: 'default', usage: 'Of objects that name none.' }),
    output: string({ shorthand: 'o', default: 'text', usage: `${Object.keys(reports).join(', ')}.` }),
    recursive: bool({ shorthand: 'R', usage: 'Read the directories in directories, too.' }),
    runtimeConfig: string({
      usage: 'What is served beyond the default, as of kube-apiserver: api/legacy=true.',
    }),
    warningsAsErrors: bool({ usage: 'Count warnings as errors.' }),
    with: stringArray({ usage: 'A file or a directory with definitions and policies to judge by.' }),
  },
  async run({ context: io, flags }) {
    const write = await reports[flags.output]?.();
    if (write === undefined) {
      throw new CommandFailure(`--output must be one of ${Object.keys(reports).join(', ')}`, 2);
    }
    if (flags.filename.length + flags.kustomize.length === 0) {
      throw new CommandFailure('name manifests with -f or -k', 2);
    }
    const places = {
      recursive: flags.recursive,
      workingDirectory: process.cwd(),
      stdin: () => textOf(io.input),
    };
    const read = await readOrFail({ ...places, filenames: flags.filename, kustomizations: flags.kustomize });
    const beside = await readOrFail({ ...places, filenames: flags.with, kustomizations: [] });
    const validated = await validateManifests(read.manifests, {
      namespace: flags.namespace,
      ignoresUnknownKinds: flags.ignoreUnknownKinds,
      beside: beside.manifests,
      featureGates: flags.featureGates,
      ...(flags.runtimeConfig !== '' && { runtimeConfig: flags.runtimeConfig }),
    });
    const findings = inReadingOrder([...read.findings, ...beside.findings, ...validated.findings]);
    io.out.write(write({ ...read, passedOver: validated.passedOver, findings }));
    const counted = findings.filter(({ severity }) => severity === 'error' || flags.warningsAsErrors);
    if (counted.length > 0) {
      throw new CommandFailure(`${counted.length} ${counted.length === 1 ? 'problem' : 'problems'} found`, 1);
    }
  },
});

async function readOrFail(places: ManifestPlaces): Promise<ManifestsRead> {
  try {
    return await readManifests(places);
  } catch (failure) {
    throw new CommandFailure(messageOf(failure), 2, { cause: failure });
  }
}
