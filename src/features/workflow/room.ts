import type { Door, Platform } from '../../platform/platform.ts'
import { createAudits, type Reword } from './digital-audit/audits.ts'
import { createPageFetch } from './digital-audit/page-fetch.ts'
import { type AiAnswers, auditRoutes } from './digital-audit/routes.ts'
import type { ReadModelStatus } from './model-status.ts'
import { workflowRoutes } from './routes.ts'
import { createTemplates } from './templates/templates.ts'

export interface WorkflowNeeds {
  timezone: () => Promise<string>
  /** What the room of the models says of the one that answers. */
  modelStatus: ReadModelStatus
  /** Lets a model choose the words of an audit, and nothing else. */
  reword: Reword
  answers: AiAnswers
}

/** What workflows of other programs call. It keeps nothing. */
export const createWorkflowRoom = ({ outbound, clock, baseUrl }: Platform, needs: WorkflowNeeds) => {
  const { timezone, modelStatus, reword, answers } = needs
  const audits = createAudits({ fetchPage: createPageFetch({ outbound, clock }), clock, reword })
  const templates = createTemplates({ baseUrl, timezone })
  const doors: Door[] = [
    { prefix: '/api/workflow', routes: auditRoutes(audits, answers) },
    { prefix: '/api/workflow', routes: workflowRoutes({ modelStatus, templates }) },
  ]
  return { doors }
}
