import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'wouter'

interface Look {
  kind?: 'plain' | 'primary' | 'danger' | 'warning' | 'quiet'
  size?: 'middle' | 'small'
  /** Only an icon is seen; `aria-label` says what it does. */
  shape?: 'text' | 'icon'
  wide?: boolean
}

const lookOf = ({ kind = 'plain', size = 'middle', shape = 'text', wide = false }: Look) => ({
  className: 'button',
  'data-kind': kind,
  'data-size': size,
  'data-shape': shape,
  'data-wide': wide,
})

type ButtonProps = Look & { busy?: boolean } & Omit<ComponentProps<'button'>, 'className'>

export const Button = ({
  kind,
  size,
  shape,
  wide,
  busy = false,
  disabled,
  children,
  ...rest
}: ButtonProps) => (
  <button
    type="button"
    {...lookOf({
      ...(kind && { kind }),
      ...(size && { size }),
      ...(shape && { shape }),
      ...(wide && { wide }),
    })}
    data-busy={busy}
    disabled={disabled || busy}
    {...rest}
  >
    {busy && <span className="spinner" aria-hidden="true" />}
    {children}
  </button>
)

interface LinkButtonProps extends Look {
  href: string
  onClick?: () => void
  children: ReactNode
}

export const LinkButton = ({ href, onClick, children, ...look }: LinkButtonProps) => (
  <Link href={href} onClick={onClick} {...lookOf(look)}>
    {children}
  </Link>
)
