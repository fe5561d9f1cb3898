import { useQuery } from '@tanstack/react-query'
import { useProfile } from '../../api/account.ts'
import { type Client, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { type Group, listGroups, type Viewer } from './sections.ts'

const readPlan = (client: Client) => unwrap(client.GET('/api/settings/billing/plan'))

/** Reads who the user is and whether the instance sells plans. If the plan cannot be read, none are sold. */
export const useViewer = (): Viewer => {
  const client = useClient()
  const role = useProfile().data?.value.role
  const plan = useQuery({ queryKey: ['billing', 'plan'], queryFn: () => readPlan(client) })
  return {
    isOwner: role === undefined ? undefined : role === 'owner',
    plansSold: plan.isError ? false : plan.data?.paymentsEnabled,
  }
}

/** The settings that the user sees. */
export const useSettingsGroups = (): Group[] => listGroups(useViewer())
