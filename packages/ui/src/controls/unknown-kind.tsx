/** In place of objects whose kind is not known: not yet, not for sure, or because the server does not serve it. */

import { kinds } from '../cluster/kinds.ts';
import { inLanguages } from '../language/language.ts';
import { Empty, Failed, Loading } from './notice.tsx';

const text = inLanguages(
  {
    unknown: 'The server does not serve this kind',
    why: 'Its definition may have been deleted, or another version of it may be served.',
  },
  { unknown: '服务器不提供此类型', why: '它的定义可能已被删除，或者提供的是另一个版本。' },
);

export function UnknownKind() {
  const { isLoading, failure } = kinds.value;
  if (isLoading) return <Loading />;
  return failure === undefined ? (
    <Empty title={text().unknown}>{text().why}</Empty>
  ) : (
    <Failed failure={failure} />
  );
}
