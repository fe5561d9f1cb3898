import { type Check, ok, warn } from './finding.ts'

export const paymentsCheck: Check = {
  what: 'payments',
  run({
    config: {
      stripe: { secretKey, webhookSecret, prices },
    },
  }) {
    if (secretKey === null)
      return webhookSecret === null && prices.length === 0
        ? [ok('no key for Stripe is set; everyone is on the self-hosted plan')]
        : [warn('there are settings for Stripe, but no key', 'set STRIPE_SECRET_KEY, or remove the others')]
    if (webhookSecret === null)
      return [
        warn(
          'Stripe tells of nothing: a plan changes here up to an hour late',
          'add an endpoint for /api/billing/webhook at Stripe and set STRIPE_WEBHOOK_SECRET',
        ),
      ]
    return [ok('Stripe is set up (not called)')]
  },
}
