/** URLs: `url('https://example.com:80/a?b=c').getHost()`. */

import type { Library } from '../declarations/library.ts';
import { declareFunction, overload, type FunctionDeclaration } from '../declarations/declaration.ts';
import { structType } from '../types/type.ts';
import { CelError } from '../values/error.ts';
import { ArrayList } from '../values/list.ts';
import { mapOf } from '../values/map.ts';
import { OpaqueValue, type Value } from '../values/value.ts';
import {
  UrlTextError,
  escapedPath,
  hostnameOf,
  parseRequestUrl,
  portOf,
  queryOf,
  type ParsedUrl,
} from '@coxswain/apimachinery/url-text.ts';

const urlType = structType('kubernetes.URL');

class UrlValue extends OpaqueValue {
  readonly type = urlType;
  readonly text: string;
  readonly url: ParsedUrl;

  constructor(text: string) {
    super();
    this.text = text;
    const whole = parseRequestUrl(text);
    const fragment = text.indexOf('#');
    this.url = fragment < 0 ? whole : parseRequestUrl(text.slice(0, fragment));
  }

  equals(other: Value): boolean {
    return other instanceof UrlValue && other.text === this.text;
  }
}

function urlValue(text: string): UrlValue | CelError {
  try {
    return new UrlValue(text);
  } catch (error) {
    if (!(error instanceof UrlTextError)) throw error;
    return new CelError(`URL parse error during conversion from string: ${error.message}`);
  }
}

const part = (name: string, id: string, read: (url: ParsedUrl) => string): FunctionDeclaration =>
  declareFunction(name, [overload(id, 'kubernetes.URL.() -> string', ({ url }: UrlValue) => read(url))]);

const queryMap = ({ url }: UrlValue): Value =>
  mapOf([...queryOf(url)].map(([name, values]) => [name, new ArrayList(values)] as const));

export const urlLibrary: Library = {
  functions: [
    declareFunction('url', [overload('string_to_url', '(string) -> kubernetes.URL', urlValue)]),
    declareFunction('isURL', [
      overload('is_url_string', '(string) -> bool', (text: string) => !(urlValue(text) instanceof CelError)),
    ]),
    part('getScheme', 'url_get_scheme', ({ scheme }) => scheme),
    part('getHost', 'url_get_host', ({ host }) => host),
    part('getHostname', 'url_get_hostname', hostnameOf),
    part('getPort', 'url_get_port', portOf),
    part('getEscapedPath', 'url_get_escaped_path', escapedPath),
    declareFunction('getQuery', [
      overload('url_get_query', 'kubernetes.URL.() -> map(string, list(string))', queryMap),
    ]),
  ],
};
