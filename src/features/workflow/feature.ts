import type { LanguageOf } from '../../platform/language.ts'
import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import { createAudits, createPageFetch, type Reword } from './audits.ts'
import { type AiAnswers, auditRoutes, type ReadModelStatus, workflowRoutes } from './routes.ts'
import { createTemplates } from './templates.ts'

export interface WorkflowNeeds {
  zoneOf: (userId: number) => Promise<string>
  /** Reads the status of the selected model. */
  modelStatus: ReadModelStatus
  /** Lets a model rewrite the texts of an audit. */
  reword: Reword
  languageOf: LanguageOf
  answers: AiAnswers
}

/** Endpoints for external workflow tools. Stores nothing. */
export const createWorkflowFeature = ({ outbound, clock, baseUrl }: Platform, needs: WorkflowNeeds) => {
  const { zoneOf, modelStatus, reword, languageOf, answers } = needs
  const audits = createAudits({
    fetchPage: createPageFetch({ outbound, clock }),
    clock,
    reword,
    languageOf,
  })
  const templates = createTemplates({ baseUrl, zoneOf })
  const routes: FeatureRoutes[] = [
    { prefix: '/api/workflow', plugin: auditRoutes(audits, answers) },
    { prefix: '/api/workflow', plugin: workflowRoutes(modelStatus, templates) },
  ]
  return { audits, routes }
}
