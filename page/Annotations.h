//===- Annotations.h - writes what an editor shows beside a source -----------------------------------------*- C++ -*-//

#ifndef TILECC_PAGE_ANNOTATIONS_H
#define TILECC_PAGE_ANNOTATIONS_H

#include "page/Model.h"

namespace llvm::json {
class OStream;
} // namespace llvm::json

namespace tilecc::page {

/// Returns the variables, remarks and costs of a page as JSON, without the text of stages. docs/editors.md describes
/// it.
std::string writeAnnotations(const Page &page);

/// Writes the attribute "costs".
void writeCosts(llvm::json::OStream &json, const Costs &costs);

} // namespace tilecc::page

#endif // TILECC_PAGE_ANNOTATIONS_H
