/**
 * Checks manifests with an API server of its own. Objects that affect others are created first and remain: namespaces,
 * definitions, classes, policies with their parameters and bindings. Everything else is checked independently.
 */
import type * as admission from '@coxswain/api/admissionregistration/v1/index.ts';
import type { KubeObject, Live } from '@coxswain/apimachinery';
import { findingAt, findingsOfStatus, rules, warningFinding, type Finding } from './finding.ts';
import { groupOf, type Manifest } from './manifest.ts';
import {
  startValidationServer,
  type ValidationServer,
  type ValidationServerOptions,
  type Verdict,
} from './validation-server.ts';

export interface ValidationOptions extends ValidationServerOptions {
  /** Whether manifests of kinds that neither the server nor a definition provides are skipped. */
  readonly ignoresUnknownKinds: boolean;
  /** Supporting objects such as definitions and policies. They are only reported if they are refused. */
  readonly beside?: readonly Manifest[];
}

export interface Validation {
  /** In the order of the manifests. */
  readonly findings: readonly Finding[];
  /** Manifests of unknown kinds. */
  readonly passedOver: readonly Manifest[];
}

export async function validateManifests(
  manifests: readonly Manifest[],
  options: ValidationOptions,
): Promise<Validation> {
  const server = await startValidationServer(options);
  try {
    return await new Judgement(server, options).of(manifests, options.beside ?? []);
  } finally {
    await server.stop();
  }
}

class Judgement {
  readonly #server: ValidationServer;
  readonly #ignoresUnknownKinds: boolean;
  readonly #findings = new Map<Manifest, readonly Finding[]>();
  readonly #passedOver: Manifest[] = [];

  constructor(server: ValidationServer, { ignoresUnknownKinds }: ValidationOptions) {
    this.#server = server;
    this.#ignoresUnknownKinds = ignoresUnknownKinds;
  }

  async of(manifests: readonly Manifest[], beside: readonly Manifest[]): Promise<Validation> {
    const all = [...beside, ...manifests];
    const given = groupedByPhase(all);
    for (const manifest of given.definitions) await this.#define(manifest);
    await this.#server.learnKinds(
      given.definitions.filter((each) => !this.#isRefused(each)).flatMap(kindsOf),
    );
    for (const manifest of [...given.grounds, ...given.bindings]) await this.#create(manifest);
    // Checks earlier objects again, now that the policies are bound.
    const early = given.bindings.length === 0 ? [] : given.grounds.filter((each) => !this.#isRefused(each));
    for (const manifest of [...early, ...given.others]) await this.#judge(manifest);
    return {
      findings: all.flatMap((each) => this.#findings.get(each) ?? []),
      passedOver: this.#passedOver,
    };
  }

  #isRefused(manifest: Manifest): boolean {
    return this.#findings.get(manifest)?.some(({ severity }) => severity === 'error') ?? false;
  }

  /** No webhook can convert its objects, so each version is treated as the storage version. */
  async #define(manifest: Manifest): Promise<void> {
    const { object } = manifest;
    const spec = (object as Definition).spec;
    const converts = spec?.conversion?.strategy === 'Webhook';
    if (!converts) return this.#create(manifest);
    await this.#judge(manifest);
    if (this.#isRefused(manifest)) return;
    const { conversion: _conversion, ...others } = spec;
    await this.#server.create({ ...object, spec: others } as KubeObject);
  }

  #create(manifest: Manifest): Promise<void> {
    return this.#ask(manifest, async (object) => {
      const verdict = await this.#server.create(object);
      // The object is a duplicate, was created before its dependencies, or was refused for one of several reasons.
      return verdict.refusals.length > 0 ? this.#server.judge(object) : verdict;
    });
  }

  #judge(manifest: Manifest): Promise<void> {
    return this.#ask(manifest, (object) => this.#server.judge(object));
  }

  async #ask(manifest: Manifest, ask: (object: KubeObject) => Promise<Verdict>): Promise<void> {
    const { object } = manifest;
    if (this.#server.resourceOf(object) === undefined) return this.#noteUnknown(manifest);
    const { refusals, warnings } = await ask(object);
    const found = [
      ...refusals.flatMap((refusal) => findingsOfStatus(manifest, refusal)),
      ...warnings.map((text) => warningFinding(manifest, text)),
    ];
    if (found.length > 0) this.#findings.set(manifest, found);
  }

  #noteUnknown(manifest: Manifest): void {
    const { apiVersion, kind } = manifest.object;
    if (this.#ignoresUnknownKinds) this.#passedOver.push(manifest);
    else {
      const message = `no matches for kind "${kind}" in version "${apiVersion}"`;
      this.#findings.set(manifest, [
        findingAt(manifest, 'error', { rule: rules.unknownKind, message, field: 'kind' }),
      ]);
    }
  }
}

interface Phases {
  readonly definitions: readonly Manifest[];
  readonly grounds: readonly Manifest[];
  readonly bindings: readonly Manifest[];
  readonly others: readonly Manifest[];
}

function groupedByPhase(manifests: readonly Manifest[]): Phases {
  const parameterKinds = new Set(manifests.flatMap(({ object }) => parameterKindOf(object)));
  const phases = { definitions: [], grounds: [], bindings: [], others: [] } as {
    [phase in keyof Phases]: Manifest[];
  };
  // Namespaces first: their labels affect the objects in them.
  const namespacesFirst = manifests.toSorted(
    (a, b) => Number(isNamespace(b.object)) - Number(isNamespace(a.object)),
  );
  for (const manifest of namespacesFirst) phases[phaseOf(manifest.object, parameterKinds)].push(manifest);
  return phases;
}

/** By group and kind. Limits and classes change pods and claims; policies restrict what is allowed. */
const phaseOfKind: Readonly<Record<string, keyof Phases>> = {
  'apiextensions.k8s.io/CustomResourceDefinition': 'definitions',
  '/Namespace': 'grounds',
  '/LimitRange': 'grounds',
  'scheduling.k8s.io/PriorityClass': 'grounds',
  'node.k8s.io/RuntimeClass': 'grounds',
  'storage.k8s.io/StorageClass': 'grounds',
  'networking.k8s.io/IngressClass': 'grounds',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': 'grounds',
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': 'grounds',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': 'bindings',
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': 'bindings',
};

const isNamespace = (object: KubeObject): boolean =>
  object.apiVersion === 'v1' && object.kind === 'Namespace';

const phaseOf = (object: KubeObject, parameterKinds: ReadonlySet<string>): keyof Phases =>
  phaseOfKind[`${groupOf(object)}/${object.kind}`] ??
  (parameterKinds.has(`${object.apiVersion} ${object.kind}`) ? 'grounds' : 'others');

type Policy = Live<admission.ValidatingAdmissionPolicy>;

function parameterKindOf(object: KubeObject): readonly string[] {
  const { apiVersion, kind } = (object as Policy).spec?.paramKind ?? {};
  return kind === undefined || !object.kind?.endsWith('AdmissionPolicy') ? [] : [`${apiVersion} ${kind}`];
}

interface Definition extends KubeObject {
  readonly spec?: {
    readonly group?: string;
    readonly names?: { readonly kind?: string };
    readonly versions?: readonly { readonly name?: string; readonly served?: boolean }[];
    readonly conversion?: { readonly strategy?: string };
  };
}

/** Returns an object of each served version, as far as known. */
const kindsOf = ({ object }: Manifest): readonly KubeObject[] =>
  ((object as Definition).spec?.versions ?? [])
    .filter(({ served }) => served === true)
    .map(({ name }) => {
      const { group, names } = (object as Definition).spec!;
      return { apiVersion: `${group}/${name}`, kind: names?.kind ?? '', metadata: {} };
    });
