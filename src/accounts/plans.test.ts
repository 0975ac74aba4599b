import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SECOND_MS } from '../base/times.ts';
import { LONGEST_DELAY_MS } from '../market/timeline.ts';
import { effectivePlan, isPlanName, PLAN_NAMES, PLANS, type PlanName, storedPlan } from './plans.ts';
import { isScope, readScopes, SCOPES, writeScopes } from './scopes.ts';

describe('plans', () => {
  test('are those of the contract', () => {
    const table = PLAN_NAMES.map((name) => {
      const plan = PLANS[name];
      assert.equal(plan.name, name);
      return [
        plan.title,
        plan.requestsPerMonth,
        plan.requestsPerMinute,
        plan.keyCount,
        plan.historyDays,
        plan.delaySeconds,
        plan.commercialUse,
        plan.maxPageRows,
      ];
    });
    assert.deepEqual(table, [
      ['Demo', 3000, 20, 1, 7, 900, false, 50],
      ['Developer', 100000, 120, 3, 90, 0, false, 500],
      ['Pro', 500000, 300, 10, 730, 0, true, 500],
      ['Business', 2000000, 600, 25, null, 0, true, 500],
    ]);
  });

  test('snapshots are kept long enough for the delay of every plan', () => {
    for (const { name, delaySeconds } of Object.values(PLANS))
      assert.ok(delaySeconds * SECOND_MS <= LONGEST_DELAY_MS, name);
  });

  const grants = new Map<string, PlanName>([['top', 'developer']]);

  test('a host tier lifts a lower plan', () =>
    assert.equal(effectivePlan('demo', 'top', grants).name, 'developer'));
  test('a host tier never lowers a plan', () =>
    assert.equal(effectivePlan('pro', 'top', grants).name, 'pro'));
  test('no host tier', () => assert.equal(effectivePlan('demo', null, grants).name, 'demo'));
  test('an unknown host tier', () => assert.equal(effectivePlan('demo', 'gold', grants).name, 'demo'));
  test('an inherited property name is not a tier', () => {
    assert.equal(effectivePlan('demo', 'constructor', grants).name, 'demo');
  });
  test('an inherited property name is not a plan', () => assert.equal(isPlanName('toString'), false));
  test('an unknown stored plan counts as the lowest', () => assert.equal(storedPlan('galactic'), 'demo'));
});

describe('scopes', () => {
  test('are written and read in the order of the contract, without duplicates', () => {
    assert.equal(writeScopes(['usage:read', 'funding:read', 'usage:read']), 'funding:read usage:read');
    assert.deepEqual(readScopes('usage:read funding:read usage:read'), ['funding:read', 'usage:read']);
    assert.deepEqual(readScopes(writeScopes(SCOPES)), [...SCOPES]);
  });
  test('an unknown stored scope grants nothing', () => assert.deepEqual(readScopes('admin:write'), []));
  test('there is no write scope', () => assert.equal(isScope('funding:write'), false));
});
