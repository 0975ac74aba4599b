import type { AlertMessage } from '../../../src/alerts/message.ts';

/** An alert with characters that are markup somewhere. */
export function alertMessage(change: Partial<AlertMessage> = {}): AlertMessage {
  return {
    eventId: 'evt_0123456789abcdef01234567',
    isTest: false,
    ruleId: 'rule-1',
    ruleName: 'BTC & <b>friends</b> *over* 0.05 %',
    operation: 'funding',
    kind: 'crossed',
    row: { coin: 'BTC', exchange: 'Bybit', rate_pct: 0.052 },
    asOfMs: Date.UTC(2026, 10, 15, 16, 0, 10),
    text: 'BTC_USDT funding on Bybit is +0.052 % per 8 h (57 % APR), above your 0.05 %. As of 16:00:10 UTC.',
    pageUrl: 'https://perpwire.example/funding?coin=BTC&min_rate_pct=0.05',
    pauseUrl: 'https://perpwire.example/alerts/pause?token=abc_def&x=(1)',
    ...change,
  };
}
