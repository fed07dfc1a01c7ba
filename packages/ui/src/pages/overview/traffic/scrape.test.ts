import { expect, test } from 'vitest';
import { ratesBetween, samplesOf, sumBy } from './scrape.ts';

const page = `# TYPE apiserver_request_total counter
apiserver_request_total{code="200",verb="GET"} 3
apiserver_request_total{code="404",verb="GET"} 1
apiserver_request_total{code="201",verb="POST"} 2 1700000000000
apiserver_request_total_other{verb="GET"} 9
workqueue_depth{name="a \\"b\\" {c}"} 7
`;

test('only the requested metrics are read, whatever their labels contain', () => {
  const found = samplesOf(page, ['apiserver_request_total', 'workqueue_depth', 'missing']);
  expect(sumBy(found.get('apiserver_request_total')!, 'verb')).toEqual(
    new Map([
      ['GET', 4],
      ['POST', 2],
    ]),
  );
  expect(found.get('workqueue_depth')).toEqual([{ labels: { name: 'a "b" {c}' }, value: 7 }]);
  expect(found.get('missing')).toEqual([]);
});

test('a rate is the increase per second, also after a restart', () => {
  const before = new Map([
    ['GET', 10],
    ['POST', 8],
  ]);
  const after = new Map([
    ['GET', 30],
    ['POST', 4],
    ['PUT', 2],
  ]);
  expect(ratesBetween(before, after, 2)).toEqual(
    new Map([
      ['GET', 10],
      ['POST', 2],
      ['PUT', 1],
    ]),
  );
});
