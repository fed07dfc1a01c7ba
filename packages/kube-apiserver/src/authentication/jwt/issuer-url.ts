/** What a URL of an issuer must be, in the words of Go's net/url. */
import { goQuote } from '@coxswain/apimachinery';

export interface IssuerUrl {
  readonly scheme: string;
  readonly hasUser: boolean;
  readonly query: string;
  readonly fragment: string;
}

// oxlint-disable-next-line no-control-regex
const controlCharacter = /[\u0000-\u001f\u007f]/;

/** @throws Error `parse "https://a:b": invalid port ":b" after host` */
export function parseIssuerUrl(text: string): IssuerUrl {
  const wrong = (what: string): Error => new Error(`parse ${goQuote(text)}: ${what}`);
  const mark = text.indexOf('#');
  const beforeFragment = mark < 0 ? text : text.slice(0, mark);
  const fragment = mark < 0 ? '' : text.slice(mark + 1);
  if (controlCharacter.test(beforeFragment)) throw wrong('net/url: invalid control character in URL');
  if (beforeFragment.startsWith(':')) throw wrong('missing protocol scheme');
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(beforeFragment)?.[1] ?? '';
  const rest = scheme === '' ? beforeFragment : beforeFragment.slice(scheme.length + 1);
  const question = rest.indexOf('?');
  const query = question < 0 ? '' : rest.slice(question + 1);
  const hierarchy = question < 0 ? rest : rest.slice(0, question);
  if (scheme === '' && /^[^/]*:/.test(hierarchy)) {
    throw wrong('first path segment in URL cannot contain colon');
  }
  const authority = hierarchy.startsWith('//') ? hierarchy.slice(2).split('/', 1)[0]! : '';
  const at = authority.lastIndexOf('@');
  const port = /:[^\]]*$/.exec(authority.slice(at + 1))?.[0];
  if (port !== undefined && !/^:\d*$/.test(port)) throw wrong(`invalid port ${goQuote(port)} after host`);
  const escape = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(hierarchy.slice(authority.length) + fragment)?.[0];
  if (escape !== undefined) throw wrong(`invalid URL escape ${goQuote(escape)}`);
  return { scheme: scheme.toLowerCase(), hasUser: at >= 0, query, fragment };
}
