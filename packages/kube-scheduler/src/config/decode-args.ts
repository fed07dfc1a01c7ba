/** Decodes the arguments of one plugin in a configuration. */
import { documentTypeMeta } from '@coxswain/apimachinery/configuration/decode-configuration.ts';
import { decodeValue } from '@coxswain/schema/decode.ts';
import type { TypeMeta } from '@coxswain/schema/json/parsed.ts';
import { withErrorPrefix } from './error-prefix.ts';
import { configurationVersion } from './configuration.ts';
import { pluginArgTypes, takesArgs, type ArgsName, type PluginArgs } from './plugin-args.ts';

export interface DecodedArgs {
  /** Arguments of an unknown plugin are passed unchanged. */
  readonly args: unknown;
  /** Errors of strict decoding: `unknown field "foo"`. */
  readonly problems: readonly string[];
}

/** @throws Error with upstream's message for arguments of another kind or type */
export function decodeArgs(plugin: string, given: unknown): DecodedArgs {
  if (!takesArgs(plugin)) return { args: given, problems: [] };
  const value = given ?? {};
  const { problems, object } = withErrorPrefix(`decoding args for plugin ${plugin}: `, () => {
    checkVersion(plugin, documentTypeMeta(value));
    return decodeValue(pluginArgTypes[plugin], value);
  });
  const { kind } = documentTypeMeta(value);
  const wanted = `${plugin}Args`;
  if (kind !== '' && kind !== wanted)
    throw new Error(`args for plugin ${plugin} were not of type ${wanted}.${group}, got ${kind}.${group}`);
  return { args: object as PluginArgs[ArgsName], problems };
}

const [group] = configurationVersion.split('/');

function checkVersion(plugin: ArgsName, { apiVersion, kind }: TypeMeta): void {
  const found = kind || `${plugin}Args`;
  const version = apiVersion || configurationVersion;
  const isKnown = found.endsWith('Args') && takesArgs(found.slice(0, -'Args'.length));
  if (version === configurationVersion && isKnown) return;
  throw new Error(
    `no kind "${found}" is registered for version "${version}" in scheme "pkg/runtime/scheme.go:111"`,
  );
}
