//! Writes a view as a template, one text for everything that never changes, and the values that belong into its holes.
//!
//! The template is read in the browser (`ui::template` describes its form), so that a view costs the program a text and
//! the making of its values.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Expr, Lit};

use crate::parse::{Attribute, Element, Node};

/// A view as an expression.
pub(crate) fn view(nodes: &[Node]) -> TokenStream {
    let mut written = Written::default();
    written.nodes(nodes);
    let Written { template, values } = written;
    match (template.as_str(), values.as_slice()) {
        ("", _) => quote! { ::ui::AnyView::NOTHING },
        // A single value needs no template around it.
        ("{}", [value]) => value.clone(),
        _ => quote! { ::ui::AnyView::markup(#template, ::std::boxed::Box::new([#(#values),*])) },
    }
}

#[derive(Default)]
struct Written {
    template: String,
    values: Vec<TokenStream>,
}

impl Written {
    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Element(element) if element.is_component() => self.hole(component(element)),
                Node::Element(element) => self.element(element),
                Node::Block(block) => self.hole(into_view(quote! {{ #block }})),
                Node::Text(text) if is_plain(&text.value()) => self.template.push_str(&text.value()),
                Node::Text(text) => self.hole(into_view(text.to_token_stream())),
            }
        }
    }

    fn hole(&mut self, value: TokenStream) {
        self.template.push_str("{}");
        self.values.push(value);
    }

    fn element(&mut self, element: &Element) {
        let name = element.name.to_token_stream().to_string();
        self.template.push_str(&format!("<{name}"));
        for attribute in &element.attributes {
            self.attribute(attribute);
        }
        self.template.push('>');
        self.nodes(&element.children);
        self.template.push_str("</>");
    }

    fn attribute(&mut self, attribute: &Attribute) {
        let name = &attribute.name;
        match attribute.value.as_ref().map_or(Some(String::new()), plain_text) {
            Some(text) => self.template.push_str(&format!(" {name}=\"{text}\"")),
            None => {
                self.template.push_str(&format!(" {name}="));
                let value = attribute.value.as_ref().map(attribute_value).unwrap_or_default();
                match name.strip_prefix("on:") {
                    Some(event) => self.hole(handler(event, &value)),
                    None => self.hole(into_view(value)),
                }
            }
        }
    }
}

/// The value of an attribute. Braces around it are only for the eye.
fn attribute_value(value: &Expr) -> TokenStream {
    match value {
        Expr::Block(block) if block.block.stmts.len() == 1 && block.label.is_none() && block.attrs.is_empty() => {
            let statements = &block.block.stmts;
            quote! { #(#statements)* }
        }
        other => other.to_token_stream(),
    }
}

/// A literal text that can stand in a template.
fn plain_text(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text.value()).filter(|text| is_plain(text)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a text has no character that means something in a template.
fn is_plain(text: &str) -> bool {
    !text.contains(['<', '>', '{', '}', '"'])
}

fn into_view(value: TokenStream) -> TokenStream {
    quote! { ::ui::IntoView::into_view(#value) }
}

fn handler(event: &str, value: &TokenStream) -> TokenStream {
    let kind = match event {
        "click" => "MouseEvent",
        "keydown" => "KeyboardEvent",
        "focusin" | "focusout" => "FocusEvent",
        "submit" => "SubmitEvent",
        _ => "Event",
    };
    let kind = format_ident!("{kind}");
    // Only a function that asks for a closure tells it the type of its argument.
    match syn::parse2::<Expr>(value.clone()) {
        Ok(Expr::Closure(_)) => quote! { ::ui::handler::<::ui::ev::#kind>(#value) },
        _ => quote! { ::ui::IntoHandler::<::ui::ev::#kind>::into_handler(#value) },
    }
}

/// A component is a function of a structure of the same name.
fn component(element: &Element) -> TokenStream {
    let name = &element.name;
    let fields = element.attributes.iter().map(|attribute| {
        let field = &attribute.word;
        match &attribute.value {
            Some(value) => {
                let value = attribute_value(value);
                quote! { #field: #value }
            }
            None => quote! { #field },
        }
    });
    let children = (!element.children.is_empty()).then(|| {
        let children = view(&element.children);
        quote! { children: #children }
    });
    let fields = fields.chain(children);
    into_view(quote! { #name(#name { #(#fields),* }) })
}
