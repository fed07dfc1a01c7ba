/** KubeSchedulerConfiguration of kubescheduler.config.k8s.io/v1, as far as it is understood here. */
export interface KubeSchedulerConfiguration {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly percentageOfNodesToScore?: number;
  readonly profiles?: readonly ProfileConfiguration[];
}

export interface ProfileConfiguration {
  readonly schedulerName?: string;
  readonly percentageOfNodesToScore?: number;
  /** Extension point (or `multiPoint`) → what is on and off there. */
  readonly plugins?: Readonly<Record<string, PluginSet | undefined>>;
  readonly pluginConfig?: readonly { readonly name: string; readonly args?: unknown }[];
}

export interface PluginSet {
  readonly enabled?: readonly { readonly name: string; readonly weight?: number }[];
  /** `*` switches all default plugins off. */
  readonly disabled?: readonly { readonly name: string }[];
}

export const configurationVersion = 'kubescheduler.config.k8s.io/v1';

/** @throws Error when the document is not such a configuration */
export function checkConfiguration(document: unknown): KubeSchedulerConfiguration {
  const configuration = document as KubeSchedulerConfiguration | null | undefined;
  const kind = configuration?.kind ?? '';
  const version = configuration?.apiVersion ?? '';
  if (kind !== 'KubeSchedulerConfiguration' || version !== configurationVersion) {
    throw new Error(`no kind "${kind}" is registered for version "${version}"`);
  }
  return configuration!;
}
