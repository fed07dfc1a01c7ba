/** `--admission-control-config-file`: the configuration of each plugin, inline or in another file. */
import { readYaml } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { always, any, list, optional, string, struct } from '@coxswain/schema';
import {
  decodeConfiguration,
  UnknownConfigurationError,
} from '@coxswain/apimachinery/configuration/decode-configuration.ts';

/** The configuration of each plugin as text; a plugin without an entry uses its defaults. */
export type PluginConfigurations = ReadonlyMap<string, string>;

export interface ConfigurationFiles {
  /** Reads a file relative to the working directory. @throws Error with Go's message */
  read(path: string): string;
  /** Resolves `path` relative to the directory of the file `from`. */
  resolve(from: string, path: string): string;
}

const Plugin = struct('AdmissionPluginConfiguration', {
  name: always(1, string),
  path: optional(2, string),
  configuration: optional(3, any),
});

const form = {
  kinds: ['v1', 'v1alpha1'].map((version) => `apiserver.config.k8s.io/${version} AdmissionConfiguration`),
  type: struct('AdmissionConfiguration', {
    kind: optional(0, string),
    apiVersion: optional(0, string),
    plugins: always(1, list(Plugin)),
  }),
  isStrict: true,
};

/** @throws Error with upstream's message */
export function readPluginConfigurations(
  file: string,
  pluginNames: readonly string[],
  files: ConfigurationFiles,
): PluginConfigurations {
  const text = contentOf(file, files);
  try {
    const { plugins } = decodeConfiguration(text, form);
    return new Map(
      (plugins ?? []).flatMap(({ name, path, configuration }) => {
        if (configuration !== undefined && configuration !== null)
          return [[name, JSON.stringify(configuration)] as const];
        return path ? [[name, files.read(files.resolve(file, path))] as const] : [];
      }),
    );
  } catch (failure) {
    if (failure instanceof UnknownConfigurationError && isLegacy(text)) return legacy(text, pluginNames);
    throw new Error(`failed to read plugin config: ${messageOf(failure)}`, { cause: failure });
  }
}

function contentOf(file: string, files: ConfigurationFiles): string {
  try {
    return files.read(file);
  } catch (failure) {
    throw new Error(
      `failed to read plugin config: unable to read admission control configuration from ${JSON.stringify(file)} [${messageOf(failure)}]`,
      { cause: failure },
    );
  }
}

/** Before a kind existed for it, the file was that of one of two plugins. */
const legacyPlugins: readonly string[] = ['ImagePolicyWebhook', 'PodNodeSelector'];
const legacyMembers: readonly string[] = ['imagePolicy', 'podNodeSelectorPluginConfig'];

function isLegacy(text: string): boolean {
  const value: unknown = readYaml(text);
  return typeof value === 'object' && value !== null && legacyMembers.some((member) => member in value);
}

const legacy = (text: string, pluginNames: readonly string[]): PluginConfigurations =>
  new Map(legacyPlugins.filter((name) => pluginNames.includes(name)).map((name) => [name, text]));
