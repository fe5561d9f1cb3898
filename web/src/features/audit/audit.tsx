import { useMutation } from '@tanstack/react-query'
import { ChevronRight, ScanSearch } from 'lucide-react'
import { useEffect, useRef } from 'react'
import * as t from '#locale/audit'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { Page } from '../../shell/page.tsx'
import { Card, Tag } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { readText } from '../../ui/form-values.ts'
import { Empty, Skeleton } from '../../ui/notice.tsx'
import { Row } from '../../ui/rows.tsx'
import { CopyButton } from '../../ui/secret.tsx'
import './audit.css'

type AuditReport = Shape<'AuditReport'>
type Section = AuditReport['sections'][number]
type Finding = Section['findings'][number]

const TONES = { critical: 'bad', high: 'bad', medium: 'warn', low: 'plain', info: 'accent' } as const

const toneOf = (score: number): 'good' | 'warn' | 'bad' =>
  score >= 90 ? 'good' : score >= 60 ? 'warn' : 'bad'

const FindingItem = ({ severity, text, evidence, remedy }: Finding) => (
  <Row title={<Tag tone={TONES[severity]}>{t.severities[severity]}</Tag>} tags={text}>
    {evidence !== '' && <pre className="audit-evidence">{evidence}</pre>}
    {remedy !== '' && <p className="quiet">{remedy}</p>}
  </Row>
)

const SectionPart = ({ section: { key, score, findings } }: { section: Section }) => (
  <details className="audit-section" open={score < 90}>
    <summary>
      <ChevronRight size={16} aria-hidden="true" />
      <span className="audit-heading">{t.sections[key]}</span>
      <span className="quiet small">{findings.length === 0 ? t.noIssues : t.issues(findings.length)}</span>
      <Tag tone={toneOf(score)}>{score}</Tag>
    </summary>
    {findings.length === 0 ? (
      <p className="quiet">{t.noIssues}</p>
    ) : (
      <ul className="rows">
        {findings.map((finding) => (
          <FindingItem key={finding.check} {...finding} />
        ))}
      </ul>
    )}
  </details>
)

const Report = ({ report }: { report: AuditReport }) => {
  const top = useRef<HTMLDivElement>(null)
  // Moves the focus to the report, so that screen readers announce it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new report
  useEffect(() => top.current?.querySelector<HTMLElement>('h2')?.focus(), [report.auditedAt])
  return (
    <div ref={top} className="audit-report">
      <Card
        title={report.title}
        about={report.url ?? undefined}
        aside={<CopyButton text={report.markdown} label={t.copyAsMarkdown} />}
      >
        <div className="audit-total">
          <p className="audit-score" data-tone={toneOf(report.score)}>
            <strong>{report.score}</strong>
            <span className="quiet small">{t.outOf100}</span>
          </p>
          <div>
            <p>{report.summary}</p>
            <details className="audit-why">
              <summary className="small">{t.scoreExplanation}</summary>
              <p className="quiet small">{report.explanation}</p>
            </details>
          </div>
        </div>
      </Card>
      <Card title={t.results}>
        {report.sections.map((section) => (
          <SectionPart key={section.key} section={section} />
        ))}
      </Card>
    </div>
  )
}

const CODES = { page_unavailable: 'url' }

const useAudit = () => {
  const client = useClient()
  return useMutation({
    mutationFn: (body: Shape<'AuditInput'>) => unwrap(client.POST('/api/workflow/digital-audit', { body })),
  })
}

const Outcome = ({ audit }: { audit: ReturnType<typeof useAudit> }) => {
  if (audit.isPending) return <Skeleton lines={8} />
  if (audit.data) return <Report report={audit.data} />
  return <Empty icon={ScanSearch} title={t.noReport} about={t.noReportHelp} />
}

export const Audit = () => {
  const audit = useAudit()
  const submit = async (values: FormData): Promise<void> => {
    const [url, company] = ['url', 'company'].map((name) => readText(values, name))
    await audit.mutateAsync({ url: url ?? '', ...(company && { company }) })
  }
  return (
    <div className="audit">
      <Page title={t.audit} about={t.auditHelp}>
        <Form label={t.auditPage} codes={CODES} onSubmit={submit}>
          <div className="audit-form">
            <TextField
              name="url"
              label={t.webAddress}
              placeholder="https://example.com/"
              inputMode="url"
              autoCapitalize="none"
              autoComplete="url"
              spellCheck={false}
              maxLength={2000}
              required
            />
            <TextField name="company" label={t.company} maxLength={200} autoComplete="off" />
            <Submit>{t.checkPage}</Submit>
          </div>
        </Form>
        <Outcome audit={audit} />
      </Page>
    </div>
  )
}
