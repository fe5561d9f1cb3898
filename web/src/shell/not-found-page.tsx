import * as common from '#locale/shared-texts'
import * as t from '#locale/shell'
import { LinkButton } from '../ui/button.tsx'
import { Page } from './page.tsx'

interface NotFoundPageProps {
  within?: string
  /** Target of the link. */
  href?: string
  label?: string
}

export const NotFoundPage = ({ within, href = '/', label = common.home }: NotFoundPageProps) => (
  <Page title={t.pageNotFound} {...(within !== undefined && { within })} about={t.pageNotFoundHelp}>
    <div>
      <LinkButton href={href}>{label}</LinkButton>
    </div>
  </Page>
)
