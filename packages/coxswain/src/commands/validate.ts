/** `coxswain validate -f dir/`, `helm template . | coxswain validate -f -` */
import { text as textOf } from 'node:stream/consumers';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { bool, commandFor, noArgs, string, stringArray } from '@coxswain/cobra';
import { CommandFailure } from '../program/command-failure.ts';
import type { ProgramIo } from '../program/program-io.ts';
import { inReadingOrder } from '../validate/finding.ts';
import { readManifests, type ManifestPlaces, type ManifestsRead } from '../validate/read-manifests.ts';
import type { Report } from '../validate/report.ts';
import { validateManifests } from '../validate/validate-manifests.ts';

const command = commandFor<ProgramIo>();

/** Each format is loaded on request. */
const reports: Readonly<Record<string, () => Promise<(report: Report) => string>>> = {
  text: async () => (await import('../validate/report-text.ts')).reportText,
  sarif: async () => (await import('../validate/report-sarif.ts')).reportSarif,
  junit: async () => (await import('../validate/report-junit.ts')).reportJunit,
};

export const validate = command({
  use: 'validate (-f FILE | -k DIRECTORY)...',
  short: 'Validate manifests as the API server would',
  long: `Checks whether the API server would accept the objects in files. They are decoded, defaulted and validated as in
Kubernetes 1.36; unknown fields are errors. Needs neither a cluster nor the network.

CustomResourceDefinitions, admission policies with their parameters and bindings, namespaces, limit ranges and classes
found in the files apply to all other objects, each of which is validated on its own. Use --with for definitions and
policies that should apply but not be validated themselves. Webhooks are not called; quotas and service accounts are
not checked.

The exit status is 0 if all objects are valid, 1 if there are problems, and 2 if the check could not run: a file is
missing, a kustomization cannot be built, or a flag is invalid.`,
  example: `  coxswain validate -f deploy/ -R
  coxswain validate -k overlays/production --with crds/
  helm template shop charts/shop | coxswain validate -f -
  coxswain validate -f deploy/ -o sarif > validate.sarif`,
  args: noArgs,
  flags: {
    featureGates: stringArray({
      usage: 'Feature gates as NAME=true|false, as for kube-apiserver. Can be repeated.',
    }),
    filename: stringArray({
      shorthand: 'f',
      usage: 'A file, directory or glob pattern, or - for standard input. Can be repeated.',
    }),
    ignoreUnknownKinds: bool({ usage: 'Skip objects of unknown kinds.' }),
    kustomize: stringArray({ shorthand: 'k', usage: 'A kustomization directory. Can be repeated.' }),
    namespace: string({
      shorthand: 'n',
      default: 'default',
      usage: 'The namespace of objects that do not specify one.',
    }),
    output: string({
      shorthand: 'o',
      default: 'text',
      usage: `Output format. One of: (${Object.keys(reports).join(', ')}).`,
    }),
    recursive: bool({ shorthand: 'R', usage: 'Process directories recursively.' }),
    runtimeConfig: string({
      usage:
        'API versions to serve in addition to the default ones, as for kube-apiserver, such as api/legacy=true.',
    }),
    warningsAsErrors: bool({ usage: 'Treat warnings as errors.' }),
    with: stringArray({
      usage: 'A file or directory with definitions and policies to apply. Can be repeated.',
    }),
  },
  async run({ context: io, flags }) {
    const write = await reports[flags.output]?.();
    if (write === undefined) {
      throw new CommandFailure(`--output must be one of ${Object.keys(reports).join(', ')}`, 2);
    }
    if (flags.filename.length + flags.kustomize.length === 0) {
      throw new CommandFailure('specify manifests with -f or -k', 2);
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
