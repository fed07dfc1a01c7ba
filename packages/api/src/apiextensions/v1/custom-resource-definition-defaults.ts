/** Defaults of CustomResourceDefinitions that depend on other values; for both versions. */

interface Definition {
  spec: {
    names: { kind: string; singular?: string; listKind?: string };
    versions?: { name: string; storage: boolean }[];
    conversion?: { strategy: string; conversionReviewVersions?: string[] };
  };
  status: { storedVersions: string[] };
}

export function defaultDefinition(definition: Definition): void {
  const { spec } = definition;
  if (spec.names.kind) {
    spec.names.singular ||= spec.names.kind.toLowerCase();
    spec.names.listKind ||= `${spec.names.kind}List`;
  }
  spec.conversion ??= { strategy: 'None' };
  if ((definition.status?.storedVersions ?? []).length > 0) return;
  const stored = (spec.versions ?? []).find(({ storage }) => storage);
  if (stored === undefined) return;
  definition.status ??= {} as Definition['status'];
  definition.status.storedVersions = [stored.name];
}

/** v1beta1 has one version in `version` or several in `versions`; each is derived from the other. */
export function agreeOnVersions({
  spec,
}: {
  spec: {
    version?: string;
    versions?: { name: string; storage: boolean; served: boolean }[];
    conversion?: { strategy: string; conversionReviewVersions?: string[] };
  };
}): void {
  if ((spec.versions ?? []).length === 0 && spec.version) {
    spec.versions = [{ name: spec.version, storage: true, served: true }];
  }
  const first = spec.versions?.[0];
  if (first !== undefined) spec.version ||= first.name;
  if (
    spec.conversion?.strategy === 'Webhook' &&
    (spec.conversion.conversionReviewVersions ?? []).length === 0
  ) {
    spec.conversion.conversionReviewVersions = ['v1beta1'];
  }
}
