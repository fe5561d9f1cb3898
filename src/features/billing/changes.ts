import Type from 'typebox'
import { declareChanges } from '../../platform/changes.ts'
import { Instant, Nullable } from '../../platform/http/shapes.ts'
import { MeasureName, Unit } from './schema.ts'

const Plan = Nullable(
  Type.Object({
    plan: Nullable(Type.String()),
    name: Nullable(Type.String()),
    status: Type.String(),
    endsAt: Nullable(Instant),
  }),
)

export const billingChanges = declareChanges({
  'billing.plan_changed': { payload: Type.Object({ userId: Type.Integer(), before: Plan, after: Plan }) },
  'billing.budget_reached': {
    payload: Type.Object({
      userId: Type.Integer(),
      measure: MeasureName,
      unit: Unit,
      period: Type.String({ examples: ['2026-03'] }),
      limit: Type.Number(),
      used: Type.Number(),
    }),
  },
})

type BillingChanges = typeof billingChanges
declare module '../../platform/changes.ts' {
  interface DeclaredChanges extends BillingChanges {}
}
